/** Files that only their owner may read, such as those of the state folder: replaced as a whole. */
import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whoever reads it meanwhile sees the old text or the new one. */
export function replacePrivateFile(file: string, text: string): void {
  const temporary = writeTemporary(file, text);
  try {
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * False: there is one already. Of several processes that try, one succeeds, and nobody ever sees half a file.
 */
export function createPrivateFile(file: string, text: string): boolean {
  const temporary = writeTemporary(file, text);
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeTemporary(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  // The mode above is only what the umask leaves of it.
  chmodSync(temporary, 0o600);
  return temporary;
}
