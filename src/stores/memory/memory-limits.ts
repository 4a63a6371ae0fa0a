/** Counts for limits in memory: exact sliding windows. No window of the length ever holds more than `max`. */
import type { LimitAnswer, LimitClaim, LimitStore } from "../../core/ports/ports.ts";

interface Count {
  /** Times of the calls of the last window, oldest first from `start`, and how many calls each time had. */
  times: number[];
  calls: number[];
  start: number;
  inWindow: number;
  windowMs: number;
  running: number;
}

/** By limit, then by whose calls they are. */
type Counts = Map<string, Map<string, Count>>;

/** Counts of names nobody uses any more are dropped, so that made-up session names cannot fill the memory. */
const sweepEvery = 10_000;

const taken: LimitAnswer = { ok: true, release: undefined };

export function createMemoryLimits(): LimitStore {
  const counts: Counts = new Map();
  let untilSweep = sweepEvery;
  return {
    take(claims, now, dry): LimitAnswer {
      for (let index = 0; index < claims.length; index++) {
        const claim = claims[index] as LimitClaim;
        const refusal = refuse(counts.get(claim.limit)?.get(claim.who), claim, now);
        if (refusal !== undefined) return { ok: false, index, ...refusal };
      }
      if (dry) return taken;
      if (--untilSweep <= 0) {
        untilSweep = sweepEvery;
        sweep(counts, now);
      }
      let running: Count[] | undefined;
      for (const claim of claims) {
        const count = counts.get(claim.limit)?.get(claim.who) ?? addCount(counts, claim);
        if (claim.window !== undefined) addCall(count, now);
        if (claim.concurrent === undefined) continue;
        count.running++;
        running = [...(running ?? []), count];
      }
      return running === undefined ? taken : { ok: true, release: releaseOnce(running) };
    },
  };
}

function refuse(count: Count | undefined, claim: LimitClaim, now: number) {
  if (claim.concurrent !== undefined && (count?.running ?? 0) >= claim.concurrent) {
    return { why: "concurrent" as const, retryAfterMs: undefined };
  }
  if (claim.window === undefined) return undefined;
  const { max, windowMs } = claim.window;
  if (max === 0) return { why: "window" as const, retryAfterMs: windowMs };
  if (count === undefined) return undefined;
  setBack(count, now);
  dropOlder(count, now - windowMs);
  if (count.inWindow < max) return undefined;
  const freesAt = (timeOfNewest(count, max) ?? now) + windowMs;
  return { why: "window" as const, retryAfterMs: Math.max(1, freesAt - now) };
}

function addCount(counts: Counts, claim: LimitClaim): Count {
  const windowMs = claim.window?.windowMs ?? 0;
  const count: Count = { times: [], calls: [], start: 0, inWindow: 0, windowMs, running: 0 };
  const ofLimit = counts.get(claim.limit) ?? new Map<string, Count>();
  counts.set(claim.limit, ofLimit.set(claim.who, count));
  return count;
}

/** A clock that was set back must not close a limit for longer than a window: later counts as now. */
function setBack(count: Count, now: number): void {
  const last = count.times.at(-1) ?? now;
  if (last > now) count.times = count.times.map((time) => time - (last - now));
}

function addCall(count: Count, now: number): void {
  const last = count.times.length - 1;
  count.inWindow++;
  if (last >= count.start && count.times[last] === now) count.calls[last] = (count.calls[last] ?? 0) + 1;
  else {
    count.times.push(now);
    count.calls.push(1);
  }
}

/** When the call came that `nth - 1` newer ones followed. */
function timeOfNewest({ times, calls, start }: Count, nth: number): number | undefined {
  let left = nth;
  for (let index = times.length - 1; index >= start; index--) {
    left -= calls[index] ?? 0;
    if (left <= 0) return times[index];
  }
  return undefined;
}

/** Moves a start index and compacts rarely: dropping from the front of an array copies the whole array. */
function dropOlder(count: Count, until: number): void {
  while (count.start < count.times.length && (count.times[count.start] ?? 0) <= until)
    count.inWindow -= count.calls[count.start++] ?? 0;
  if (count.start > 64 && count.start * 2 > count.times.length) {
    count.times = count.times.slice(count.start);
    count.calls = count.calls.slice(count.start);
    count.start = 0;
  }
}

function sweep(counts: Counts, now: number): void {
  for (const ofLimit of counts.values()) {
    for (const [who, count] of ofLimit) {
      dropOlder(count, now - count.windowMs);
      if (count.running === 0 && count.start === count.times.length) ofLimit.delete(who);
    }
  }
}

function releaseOnce(running: readonly Count[]): () => void {
  let released = false;
  return () => {
    if (released) return;
    released = true;
    for (const count of running) count.running--;
  };
}
