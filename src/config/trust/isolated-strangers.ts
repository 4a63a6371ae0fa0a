/** Reads strangers' rule files in a process of its own: its time and memory are no other caller's. */
import { createIsolatedTask, type IsolatedTask, moduleBeside } from "../../safe/isolated/isolated-task.ts";
import {
  type ReadStranger,
  type StrangerFile,
  type StrangerReader,
  strangerBudget,
  tooMuch,
} from "./strangers.ts";
import type { run } from "./strangers-process.ts";

export interface IsolatedReader extends StrangerReader {
  close(): void;
}

/** One slow place holds up only so many others that are read for the first time. */
const maxProcesses = 4;
const maxHeapMb = 128;
const idleMs = 10_000;

export function createIsolatedReader(): IsolatedReader {
  const idle: Task[] = [];
  const waiting: ((task: Task) => void)[] = [];
  const all = new Set<Task>();
  const take = (): Task | Promise<Task> => {
    const free = idle.pop();
    if (free !== undefined) return free;
    if (all.size >= maxProcesses) return new Promise((resolve) => waiting.push(resolve));
    const module = moduleBeside(import.meta.url, "./strangers-process");
    const task: Task = createIsolatedTask<typeof run>({ module, maxHeapMb, idleMs });
    all.add(task);
    return task;
  };
  const giveBack = (task: Task): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(task);
    else next(task);
  };
  return {
    bounded: true,
    async read(files) {
      // What is too large is not even copied.
      const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      if (bytes > strangerBudget.bytes) return files.map(({ file }) => tooMuch(file, "bytes"));
      const task = await take();
      const end = await task.run(files, { timeoutMs: strangerBudget.timeoutMs });
      giveBack(task);
      return end.ok ? end.value : files.map(({ file }) => tooMuch(file, "reading"));
    },
    close() {
      for (const task of all) task.close();
    },
  };
}

type Task = IsolatedTask<readonly StrangerFile[], readonly ReadStranger[]>;
