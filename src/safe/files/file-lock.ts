/** Work that only one process does at a time. A folder is there as long as the work lasts. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The work waits for nothing, so it takes a moment; whoever holds the lock for longer has died. */
const longestHoldMs = 5_000;
const tryAgainMs = 20;

export async function withFileLock<Result>(lock: string, work: () => Result): Promise<Result> {
  while (!take(lock)) {
    if (isLeftOver(lock)) rmSync(lock, { recursive: true, force: true });
    // Also then: somebody else who saw it may be about to remove it, and must not find a new one.
    await sleep(tryAgainMs);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** By the lock's own age: of several who wait, none takes it from one who has just got it. */
function isLeftOver(lock: string): boolean {
  const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  // One of the future was made before the clock was set back.
  return madeAt !== undefined && Math.abs(Date.now() - madeAt) > longestHoldMs;
}
