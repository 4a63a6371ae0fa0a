/** The real clock and real ids. */
import { randomBytes } from "node:crypto";
import type { Clock, Ids } from "../core/ports/ports.ts";
import { monotonicMs } from "../core/run/monotonic.ts";

/** Node's timers fire at once when asked to wait longer than this. */
const longestTimerMs = 2_147_483_647;

/** The two clocks drift apart (corrections, a suspended machine): how often their distance is measured. */
const distanceHoldsMs = 50;

export function createSystemClock(): Clock {
  let distance = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => Date.now(),
    monotonic: monotonicMs,
    dateOf(monotonic) {
      if (monotonic - measuredAt > distanceHoldsMs) {
        measuredAt = monotonicMs();
        distance = Date.now() - measuredAt;
      }
      return Math.round(monotonic + distance);
    },
    after(ms, run) {
      const timer = setTimeout(run, Math.min(Math.max(0, ms), longestTimerMs));
      return () => clearTimeout(timer);
    },
  };
}

export function createSystemIds(): Ids {
  // The last two digits of a call's number. Writing them anew would cost more than the rest of the id.
  const endings = Array.from({ length: 36 * 36 }, (_, index) => index.toString(36).padStart(2, "0"));
  // One random part a process and a counter: unique without asking for randomness on every call.
  const process = `call_${randomBytes(9).toString("base64url")}_`;
  let block = 0;
  let start = process;
  let next = 0;
  return {
    call() {
      if (next === endings.length) {
        start = `${process}${(++block).toString(36)}`;
        next = 0;
      }
      return start + endings[next++];
    },
    // Hexadecimal: people type the start of it, and no dash makes it look like an option.
    secret: () => randomBytes(16).toString("hex"),
  };
}
