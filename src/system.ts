/** The real clock and real ids. */
import { randomBytes } from "node:crypto";
import type { Clock, Ids } from "./core/ports.ts";

/** Node's timers fire at once when asked to wait longer than this. */
const longestTimerMs = 2_147_483_647;

/** The two clocks drift apart (corrections, a suspended machine), so their distance is measured again this often. */
const distanceHoldsMs = 50;

export function createSystemClock(): Clock {
  let distance = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    dateOf(monotonic) {
      if (monotonic - measuredAt > distanceHoldsMs) {
        measuredAt = performance.now();
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
  // One random part a process and a counter: unique without asking for randomness on every call.
  const process = randomBytes(9).toString("base64url");
  let count = 0;
  return {
    call: () => `call_${process}_${(++count).toString(36)}`,
    secret: () => randomBytes(16).toString("base64url"),
  };
}
