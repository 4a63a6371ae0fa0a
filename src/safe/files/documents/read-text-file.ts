/** Reads a text file of the user or a project once: what is hashed for trust is what is parsed. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isInside } from "../../../core/input/inside-folder.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { awaitRenames } from "../inside-root/grips/await-renames.ts";

export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly sha256: string }
  | { readonly ok: false; readonly missing: boolean; readonly message: string };

export const maxTextBytes = 1024 * 1024;

export interface ReadLimits {
  /** The folder that must hold the file, links followed, under one name only. Others' files lie elsewhere. */
  readonly within?: string | undefined;
}

export function readTextFile(file: string, { within }: ReadLimits = {}): ReadFile {
  let fd: number;
  try {
    // Some devices do something when they are opened.
    if (!statSync(file).isFile()) return refuse("It is not a regular file.");
    // Without O_NONBLOCK a pipe called toolgate.yaml would stop every check for ever.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === "ENOENT" || code === "ENOTDIR";
    if (missing && isLink(file)) return refuse("It is a link that leads nowhere.");
    return {
      ok: false,
      missing,
      message: missing ? "There is no such file." : `It cannot be read: ${message}`,
    };
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return refuse("It is not a regular file.");
    const elsewhere = within === undefined ? undefined : explainElsewhere(file, fd, within);
    if (elsewhere !== undefined) return refuse(elsewhere);
    if (stat.size > maxTextBytes)
      return refuse(`It is ${stat.size} bytes long; it may have ${maxTextBytes}.`);
    const bytes = readAll(fd, stat.size);
    if (bytes === undefined) return refuse(`It is longer than ${maxTextBytes} bytes.`);
    const text = quietly(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (text === undefined) return refuse("It is not UTF-8 text; save it as UTF-8.");
    return { ok: true, text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (error) {
    return refuse(`It cannot be read: ${(error as Error).message}`);
  } finally {
    closeSync(fd);
  }
}

/**
 * Asked of what was opened, so that a link which is put in its place meanwhile changes nothing. First the
 * names are counted, then the name is asked for: the only name of a file that has one is the name it was
 * opened by, if that one is still there.
 */
function explainElsewhere(file: string, fd: number, within: string): string | undefined {
  const { nlink, ino, dev } = fstatSync(fd);
  const path = openedAs(fd) ?? realpathSync(file);
  const folder = realpathSync(within);
  const isBelow = path !== folder && isInside(path, folder);
  const named = isBelow ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (named?.ino !== ino || named.dev !== dev || !isStillNamed(fd, path))
    return "It is a link that leads out of its folder, and such links are not followed; put a copy in its place.";
  return nlink > 1 || fstatSync(fd).nlink > 1
    ? "It has a second name (a hard link), so it may be a file of somebody else; put a copy in its place."
    : undefined;
}

/** Elsewhere than on Linux the name that was just looked at is all there is to ask. */
function isStillNamed(fd: number, path: string): boolean {
  if (openedAs(fd) === undefined) return true;
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    awaitRenames(`/proc/self/fd/${folder}`);
    return openedAs(fd) === join(openedAs(folder) ?? "", basename(path));
  } finally {
    closeSync(folder);
  }
}

/**
 * The name under which it was opened, as Linux keeps it: asking the path again, a second name that was there
 * for a moment would vouch for a file that a link had led to. A name that is gone by now ends in `(deleted)`,
 * and no file is there. Undefined: another system.
 */
function openedAs(fd: number): string | undefined {
  const path = quietly(() => readlinkSync(`/proc/self/fd/${fd}`));
  return path?.endsWith(" (deleted)") ? "" : path;
}

/** Whether a file is another than its name says: a link to a file elsewhere, or a second name. */
export function leadsElsewhere(file: string): boolean {
  const isItself = quietly(
    () => dirname(realpathSync(file)) === realpathSync(dirname(file)) && statSync(file).nlink <= 1,
  );
  return isItself !== true;
}

/** Rules that somebody put there and that cannot be read are not the same as no rules. */
function isLink(file: string): boolean {
  return quietly(() => lstatSync(file))?.isSymbolicLink() === true;
}

/** The size may have grown since it was asked for. */
function readAll(fd: number, expectedBytes: number): Buffer | undefined {
  let buffer = Buffer.allocUnsafe(expectedBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > maxTextBytes) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], maxTextBytes + 1);
  }
}

function refuse(message: string): ReadFile {
  return { ok: false, missing: false, message };
}
