/** Waits for the lock of another process, with short pauses: four busy processes all get their turn. */

const usualWaitMs = 20_000;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function patiently<Result>(work: () => Result, maxWaitMs = usualWaitMs): Result {
  const deadline = performance.now() + maxWaitMs;
  for (let pauseMs = 0.1; ; pauseMs = Math.min(pauseMs * 1.5, 2)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      // Not in step with others who wait for the same.
      Atomics.wait(sleeper, 0, 0, pauseMs * (0.5 + Math.random()));
    }
  }
}

/** SQLITE_BUSY, also in its extended forms. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" && (errcode & 0xff) === 5;
}
