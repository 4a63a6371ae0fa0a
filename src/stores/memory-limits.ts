/** Counts for limits in memory: exact sliding windows, so that no window of the given length ever holds more than `max` calls. */
import type { LimitAnswer, LimitClaim, LimitStore } from "../core/ports.ts";

interface Count {
  /** Times of the calls of the last window, oldest first from `start`. */
  times: number[];
  start: number;
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
        if (claim.window !== undefined) count.times.push(now);
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
  dropOlder(count, now - windowMs);
  const inWindow = count.times.length - count.start;
  if (inWindow < max) return undefined;
  const freesAt = (count.times[count.times.length - max] ?? now) + windowMs;
  return { why: "window" as const, retryAfterMs: Math.max(1, freesAt - now) };
}

function addCount(counts: Counts, claim: LimitClaim): Count {
  const count: Count = { times: [], start: 0, windowMs: claim.window?.windowMs ?? 0, running: 0 };
  const ofLimit = counts.get(claim.limit) ?? new Map<string, Count>();
  counts.set(claim.limit, ofLimit.set(claim.who, count));
  return count;
}

/** Moves a start index and compacts rarely: dropping one by one from the front of an array would cost the whole array each time. */
function dropOlder(count: Count, until: number): void {
  while (count.start < count.times.length && (count.times[count.start] ?? 0) <= until) count.start++;
  if (count.start > 64 && count.start * 2 > count.times.length) {
    count.times = count.times.slice(count.start);
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
