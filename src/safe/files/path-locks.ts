/**
 * One at a time for each path, within this process: who came first goes first. What many sessions change is
 * changed by one after the other.
 */
import { type Cancellable, onAbort } from "../../core/run/abort.ts";

export interface PathLocks {
  /** Does the work while nobody else holds one of these paths. Rejects when cancelled while waiting. */
  holding<Result>(
    paths: readonly string[],
    signal: Cancellable | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}

export function createPathLocks(): PathLocks {
  /** A path that is held is here, with those who wait for it. */
  const held = new Map<string, (() => void)[]>();

  const wait = (path: string, queue: (() => void)[], signal: Cancellable | undefined) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        stopListening();
        resolve();
      };
      queue.push(start);
      const stopListening = onAbort(signal, () => {
        const index = queue.indexOf(start);
        if (index === -1) return;
        queue.splice(index, 1);
        reject(new DOMException(`Cancelled while another call changed ${path}.`, "AbortError"));
      });
    });

  /** The path goes over to the first who waits without being free in between. */
  const leave = (path: string) => {
    const next = held.get(path)?.shift();
    if (next === undefined) held.delete(path);
    else next();
  };

  return {
    async holding(paths, signal, work) {
      const taken: string[] = [];
      try {
        // In one order for everybody: two that want the same paths never wait for each other.
        for (const path of [...new Set(paths)].sort()) {
          const queue = held.get(path);
          if (queue === undefined) held.set(path, []);
          else await wait(path, queue, signal);
          taken.push(path);
        }
        return await work();
      } finally {
        for (const path of taken) leave(path);
      }
    },
  };
}
