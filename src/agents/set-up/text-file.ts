/** A file of an agent's as text: read so that it can be written back, at once or not at all. */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { readTextFile } from "../read-json-file.ts";

export interface TextFile {
  /** As the agent names it. */
  readonly file: string;
  /** The file that is read and written: links followed. */
  readonly target: string;
  /** Undefined: there is no such file yet. */
  readonly text: string | undefined;
}

/** A text: why not. `within`: a link of a repository must not lead to a file elsewhere. */
export function openTextFile(file: string, within: string | undefined): TextFile | string {
  const target = followLink(file);
  if (target === undefined) return `${file} is a link that leads nowhere. Remove it or create its target.`;
  if (within !== undefined && !isInside(realFolderOf(target), realFolderOf(join(within, "_"))))
    return `${file} leads outside of the project, to ${target}. Nothing was changed.`;
  const read = readTextFile(target);
  if (read.state === "broken") return `${file} was not changed: ${read.why}.`;
  return { file, target, text: read.state === "read" ? read.text : undefined };
}

/** A new file beside the old one takes its place: nobody ever reads half a file. Undefined: done. */
export function replaceText(
  { target, text: before }: TextFile,
  text: string,
  isPrivate = false,
): string | undefined {
  const folder = dirname(target);
  const temporary = join(folder, `.settings-${randomBytes(6).toString("hex")}.tmp`);
  try {
    mkdirSync(folder, { recursive: true });
    const mode = statSync(target, { throwIfNoEntry: false })?.mode ?? 0o644;
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fchmodSync(handle, mode & (isPrivate ? 0o700 : 0o777));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (textOf(target) !== before) {
      discard(temporary);
      return `${target} changed in the meantime; nothing was written. Run the command again.`;
    }
    renameSync(temporary, target);
    return undefined;
  } catch (error) {
    discard(temporary);
    const { code, message } = error as NodeJS.ErrnoException;
    return `${target} could not be written (${code ?? message}); it is as it was.`;
  }
}

export function textOf(file: string): string | undefined {
  const now = readTextFile(file);
  return now.state === "read" ? now.text : undefined;
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It was never made.
  }
}

/** Undefined: a link without a target. */
function followLink(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return isLink(file) ? undefined : file;
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The real folder that a file is in, or will be in. */
function realFolderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return realpathSync(folder);
    } catch {
      if (folder === dirname(folder)) return folder;
    }
  }
}
