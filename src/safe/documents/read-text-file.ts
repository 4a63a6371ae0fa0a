/** Reads a text file of the user or a project once: what is hashed for trust is what is parsed. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

export type ReadFile =
  | { readonly ok: true; readonly text: string; readonly sha256: string }
  | { readonly ok: false; readonly missing: boolean; readonly message: string };

export const maxTextBytes = 1024 * 1024;

export function readTextFile(file: string): ReadFile {
  let fd: number;
  try {
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
    if (stat.size > maxTextBytes)
      return refuse(`It is ${stat.size} bytes long; it may have ${maxTextBytes}.`);
    const bytes = readAll(fd, stat.size);
    if (bytes === undefined) return refuse(`It is longer than ${maxTextBytes} bytes.`);
    const text = decode(bytes);
    if (text === undefined) return refuse("It is not UTF-8 text; save it as UTF-8.");
    return { ok: true, text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (error) {
    return refuse(`It cannot be read: ${(error as Error).message}`);
  } finally {
    closeSync(fd);
  }
}

/** Rules that somebody put there and that cannot be read are not the same as no rules. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
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

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refuse(message: string): ReadFile {
  return { ok: false, missing: false, message };
}
