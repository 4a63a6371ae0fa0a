/** Which tasks are over, for as long as the process lives. */
import type { TaskEnd, TaskStore } from "../../core/ports/tasks.ts";

/** Callers make up the names of sessions and turns, and must not fill the memory with them. */
const maxKept = 100_000;

export function createMemoryTasks(): TaskStore {
  const ends = new Map<string, TaskEnd>();
  return {
    endOf(callerId, sessionId, turnId) {
      return ends.size === 0 ? undefined : ends.get(keyOf(callerId, sessionId, turnId));
    },
    end({ callerId, sessionId, turnId }, end) {
      ends.set(keyOf(callerId, sessionId, turnId), end);
      const [oldest] = ends.keys();
      if (ends.size > maxKept && oldest !== undefined) ends.delete(oldest);
    },
    start(callerId, sessionId) {
      ends.delete(keyOf(callerId, sessionId, undefined));
    },
  };
}

/** JSON, so that no two names look like another pair. */
function keyOf(callerId: string, sessionId: string, turnId: string | undefined): string {
  return JSON.stringify([callerId, sessionId, turnId ?? null]);
}
