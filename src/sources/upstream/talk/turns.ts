/** Lets so many calls of one server run at once; others wait their turn, in order, and no more of them than a bound. */
import { type Cancellable, onAbort } from "../../../core/run/abort.ts";
import { UpstreamError } from "./connection.ts";

export interface Turns {
  /** True: the turn was free and is taken. */
  take(): boolean;
  /** Resolves with the turn taken. Rejects with UpstreamError when too many wait, the time is over or the caller leaves. */
  wait(patience: { readonly signal?: Cancellable | undefined; readonly timeoutMs: number }): Promise<void>;
  give(): void;
  readonly running: number;
  readonly waiting: number;
}

const maxWaiting = 4_096;

export function createTurns(name: string, maxRunning: number): Turns {
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
    take() {
      if (running >= maxRunning) return false;
      running++;
      return true;
    },
    wait: ({ signal, timeoutMs }) =>
      new Promise((resolve, reject) => {
        if (queue.size >= maxWaiting) {
          reject(busy("busy", `is busy: ${maxRunning} calls run and ${maxWaiting} wait already`));
          return;
        }
        let stopListening: (() => void) | undefined;
        const stop = (): void => {
          queue.delete(onTurn);
          clearTimeout(timer);
          stopListening?.();
        };
        const onTurn = (): void => {
          stop();
          resolve();
        };
        const onLeft = (): void => {
          stop();
          reject(new UpstreamError("aborted", `The call of "${name}" was cancelled.`));
        };
        const onLate = (): void => {
          stop();
          reject(
            busy(
              "timed_out",
              `was busy with ${maxRunning} other ${maxRunning === 1 ? "call" : "calls"} for ${Math.round(timeoutMs)} ms`,
            ),
          );
        };
        const timer = setTimeout(onLate, Math.max(1, timeoutMs));
        queue.add(onTurn);
        stopListening = onAbort(signal, onLeft);
      }),
    give() {
      for (const next of queue) {
        next();
        return;
      }
      running--;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
