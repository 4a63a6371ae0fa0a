/** Writes a file of the user's: never over an existing one unless wanted, and then whole or not at all. */
import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import { shownPath } from "./shown.ts";

/** Makes the folder that a file is to be written into. Returns what a person should know of it, or nothing. */
export function makeFolderOf(file: string, cwd: string): string {
  const folder = dirname(file);
  try {
    return mkdirSync(folder, { recursive: true }) === undefined
      ? ""
      : `Made the folder ${shownPath(folder, cwd)}, which was not there.\n`;
  } catch (error) {
    const why = messageOf(error);
    throw new ToolgateError(
      `${shownPath(file, cwd)} was not written: its folder is not there and cannot be made: ${why}`,
    );
  }
}

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
