/** Small files that are named after a session: the hook's script, which is no program of ours, looks for them by name. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A name that is safe on every file system, and that the script takes as it is. */
export function isPlainName(name: string): boolean {
  return /^[a-z0-9_-]{1,64}$/.test(name);
}

const keptMs = 30 * 86_400_000;

/** Of sessions that nobody took up again. */
export function forgetOldSessions(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs = now } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (now - mtimeMs > keptMs) rmSync(file, { force: true });
  }
}
