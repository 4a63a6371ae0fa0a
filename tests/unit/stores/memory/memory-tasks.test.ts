import { createMemoryTasks } from "../../../../src/stores/memory/memory-tasks.ts";
import { taskStoreContract } from "../../../contract/task-store.ts";

const tasks = createMemoryTasks();
taskStoreContract("memory", () => ({ tasks, other: undefined }));
