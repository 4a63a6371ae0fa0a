/** Removes temporary files that a process left in the state folder when it died. */
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Filling one takes milliseconds. */
const leftAfterMs = 60_000;

/** At the start and every minute. What cannot be removed is tried again. */
export function removeLeftTemporaries(stateFolder: string, now: number): void {
  try {
    for (const name of readdirSync(stateFolder)) {
      if (!name.endsWith(".tmp")) continue;
      const path = join(stateFolder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > leftAfterMs) rmSync(path, { force: true });
    }
  } catch {
    // The folder itself is gone or closed to us: whoever writes to it says so.
  }
}
