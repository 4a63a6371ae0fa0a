/**
 * Which tasks are over, on all machines. Each state folder has its own files, because hooks keep no store open; what
 * other folders said is written there, too.
 */
import type { TaskEnd, TaskStore } from "../../core/ports/tasks.ts";
import type { Fact } from "./facts.ts";

/** Nobody goes on with a task that ended so long ago; whoever starts need not write its file. */
const longAgoMs = 7 * 86_400_000;

export interface SharedTasks extends TaskStore {
  /** What another process said. */
  hear(fact: Fact): void;
}

export function createSharedTasks(
  files: TaskStore,
  place: string,
  say: (fact: Omit<Fact, "origin">) => Promise<void>,
): SharedTasks {
  const keyOf = (...names: readonly (string | undefined)[]) =>
    JSON.stringify(names.filter((name) => name !== undefined));
  return {
    endOf: (callerId, sessionId, turnId) => files.endOf(callerId, sessionId, turnId),
    async end(task, end) {
      // Here first: calls of this machine stop, whatever becomes of the database.
      await files.end(task, end);
      const key = keyOf(task.callerId, task.sessionId, task.turnId);
      await say({ key, value: JSON.stringify(end) });
    },
    async start(callerId, sessionId) {
      const wasEnded = files.endOf(callerId, sessionId) !== undefined;
      await files.start(callerId, sessionId);
      if (wasEnded) await say({ key: keyOf(callerId, sessionId), value: undefined });
    },
    hear({ key, value, origin }) {
      if (origin === place) return;
      const [callerId = "", sessionId = "", turnId] = JSON.parse(key) as string[];
      if (value === undefined) void files.start(callerId, sessionId);
      else {
        const end = JSON.parse(value) as TaskEnd;
        if (end.at > Date.now() - longAgoMs) void files.end({ callerId, sessionId, turnId }, end);
      }
    },
  };
}
