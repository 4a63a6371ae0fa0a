/** Writes a file of the user's: never over an existing one unless wanted, and then whole or not at all. */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Undefined: it is written. Otherwise why not; `taken` is what to say when there is a file already. */
export function saveFile(file: string, text: string, replace: boolean, taken: string): string | undefined {
  const target = replace ? join(dirname(file), `.toolgate-${randomUUID()}.tmp`) : file;
  try {
    writeFileSync(target, text, { flag: "wx" });
    if (replace) renameSync(target, file);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (replace) rmSync(target, { force: true });
    return code === "EEXIST" ? taken : message;
  }
}
