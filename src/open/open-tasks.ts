/** Which tasks are over, for a process that opens no store: an agent's hook lives for one call. */
import type { TaskStore } from "../core/ports/tasks.ts";
import { createFileTasks } from "../stores/files/file-tasks.ts";

export function openTasks(stateFolder: string): TaskStore {
  return createFileTasks(stateFolder);
}
