/** A clock that stands still until a test moves it. */
import type { Clock } from "../core/ports/ports.ts";

export interface FakeClock extends Clock {
  /** Moves time, firing timers in their order; lets promises settle after each. */
  advance(ms: number): Promise<void>;
  readonly waitingTimers: number;
}

export function createFakeClock(startAt = Date.UTC(2026, 0, 1)): FakeClock {
  let now = startAt;
  let sequence = 0;
  const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    monotonic: () => now - startAt,
    dateOf: (monotonic) => startAt + monotonic,
    after(ms, run) {
      const id = ++sequence;
      timers.set(id, { at: now + Math.max(0, ms), run });
      return () => timers.delete(id);
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let next = earliest(); next !== undefined && next.at <= until; next = earliest()) {
        now = Math.max(now, next.at);
        timers.delete(next.id);
        next.run();
        await settle();
      }
      now = until;
      await settle();
    },
    get waitingTimers() {
      return timers.size;
    },
  };

  function earliest() {
    let found: { id: number; at: number; run: () => void } | undefined;
    for (const [id, timer] of timers)
      if (found === undefined || timer.at < found.at) found = { id, ...timer };
    return found;
  }
}

/** Long enough for a chain of already settled promises to run through. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
