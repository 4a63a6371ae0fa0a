/** Lets so many calls of one server run at once. Others wait their turn, in order and bounded in number. */

import type { Cancellable } from "../../../core/run/abort.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import { UpstreamError } from "./connection.ts";
import { patiently } from "./patiently.ts";

const maxWaiting = 4_096;

export type Turns = ReturnType<typeof createTurns>;

export function createTurns(name: string, maxRunning: number) {
  let running = 0;
  // In the order they came; a set, so that who leaves costs nothing.
  const queue = new Set<() => void>();
  const busy = (code: "busy" | "timed_out", what: string): UpstreamError =>
    new UpstreamError(
      code,
      `The upstream server "${name}" ${what}. Try again later, or raise max_concurrent of this upstream.`,
      undefined,
      "Nothing was sent. Wait until calls of this server have ended, then call again.",
    );

  return {
    /** True: the turn was free and is taken. */
    take(): boolean {
      if (running >= maxRunning) return false;
      running++;
      return true;
    },
    /** Resolves with the turn taken. Rejects when too many wait, the time is over or the caller leaves. */
    wait(signal: Cancellable | undefined, timeoutMs: number): Promise<void> {
      if (queue.size >= maxWaiting)
        return Promise.reject(
          busy("busy", `is busy: ${maxRunning} calls run and ${maxWaiting} wait already`),
        );
      const calls = maxRunning === 1 ? "call" : "calls";
      const join = (onTurn: () => void) => {
        queue.add(onTurn);
        return () => queue.delete(onTurn);
      };
      return patiently<void>(join, {
        signal,
        timeoutMs,
        late: () =>
          busy("timed_out", `was busy with ${maxRunning} other ${calls} for ${exactDuration(timeoutMs)}`),
        left: () => new UpstreamError("aborted", `The call of "${name}" was cancelled.`),
      });
    },
    give(): void {
      for (const next of queue) {
        next();
        return;
      }
      running--;
    },
    get running(): number {
      return running;
    },
    get waiting(): number {
      return queue.size;
    },
  };
}
