/** Sends what happens in a session to one client, no faster than it takes it. */
import type { Clock } from "../../../core/ports/ports.ts";
import type { SessionEvent } from "../../../sessions/session-event.ts";
import type { AnswerStream } from "../../http/answer.ts";
import { toFrame } from "./event-log.ts";

export interface SessionStream {
  /** Until the signal aborts. What is not asked for waits there, and not for ever. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<SessionEvent>;
  /** Asked from time to time: a stream must not outlive the token that opened it. */
  readonly isStillAllowed: () => Promise<boolean>;
  readonly heartbeatMs: number;
}

/** Leaving it changes nothing about the session. */
export async function writeSessionEvents(
  out: AnswerStream,
  { follow, isStillAllowed, heartbeatMs }: SessionStream,
  clock: Clock,
): Promise<void> {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  out.signal.addEventListener("abort", leave, { once: true });
  if (out.signal.aborted) leave();
  const events = follow(leaving.signal)[Symbol.asyncIterator]();
  let allowedAt = clock.monotonic();
  try {
    out.write("retry: 2000\n\n");
    let next = events.next();
    while (!out.signal.aborted) {
      const come = await orQuiet(next, heartbeatMs, clock);
      if (clock.monotonic() - allowedAt >= heartbeatMs) {
        if (!(await isStillAllowed())) return;
        allowedAt = clock.monotonic();
      }
      if (come === "quiet") {
        if (!out.write(": heartbeat\n\n")) await out.drained();
        continue;
      }
      // The session was removed.
      if (come.done === true) return;
      const { id, event, data } = come.value;
      if (!out.write(toFrame(id, event, data))) await out.drained();
      next = events.next();
    }
  } finally {
    out.signal.removeEventListener("abort", leave);
    leave();
    await events.return?.();
  }
}

function orQuiet<Value>(coming: Promise<Value>, ms: number, clock: Clock): Promise<Value | "quiet"> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve("quiet"));
    coming.then(resolve, reject).finally(stop);
  });
}
