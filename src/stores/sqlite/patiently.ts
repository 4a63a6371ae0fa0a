/** Waits for the lock of another process, and leaves it to those who wait: all get their turn. */

const usualWaitMs = 20_000;
const longestPauseMs = 2;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Whoever met another writer lately may have others waiting, which SQLite does not tell. */
const metLatelyMs = 10_000;
/** So long one process writes without a pause. */
const turnMs = 50;
/** Longer than any pause of those who wait, so that at least one of them looks in the meantime. */
const giveWayMs = longestPauseMs * 2;

let metAt = Number.NEGATIVE_INFINITY;
let turnSince = 0;
let lastHeldAt = 0;

export function patiently<Result>(work: () => Result, maxWaitMs = usualWaitMs): Result {
  const deadline = performance.now() + maxWaitMs;
  for (let pauseMs = 0.1; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      metAt = performance.now();
      // Not in step with others who wait for the same.
      Atomics.wait(sleeper, 0, 0, pauseMs * (0.5 + Math.random()));
    }
  }
}

/**
 * Before a transaction. A process with much to write is back at the lock at once, while those who wait for
 * it sleep: without a pause here one of four has waited for eight seconds.
 */
export function giveWay(): void {
  const now = performance.now();
  const hasPaused = now - lastHeldAt > giveWayMs;
  if (hasPaused || now - metAt > metLatelyMs) turnSince = now;
  else if (now - turnSince > turnMs) {
    Atomics.wait(sleeper, 0, 0, giveWayMs);
    turnSince = performance.now();
  }
}

/** After a transaction. */
export function released(): void {
  lastHeldAt = performance.now();
}

/** SQLITE_BUSY, also in its extended forms. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === 5;
}
