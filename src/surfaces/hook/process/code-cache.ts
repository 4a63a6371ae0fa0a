/**
 * What V8 made of our own files, kept for the next process: compiling them is the largest part of a check. V8
 * looks only at its version, its flags and the length of the text, and believes the rest. So the file belongs
 * to this user alone, says which build and which Node it is for, and holds everything twice, as the rule
 * cache does.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface KeptCode {
  readonly data: Buffer;
  /** Which ways through the code have been taken while it was kept: only what ran is in it. */
  readonly ways: string;
}

/** Node's own, without a look at the name of the encoding. */
declare global {
  interface Buffer {
    latin1Slice(start?: number, end?: number): string;
  }
}

/** Undefined: there is none, or none that can be believed. */
export function readKeptCode(file: string, codeFor: string): KeptCode | undefined {
  const bytes = readBytes(file, true);
  if (bytes === undefined) return undefined;
  const half = bytes.length / 2;
  const first = bytes.subarray(0, half);
  if (half < headBytes || !first.equals(bytes.subarray(half))) return undefined;
  const [written, ways = ""] = first.latin1Slice(0, headBytes).split("\0");
  return written === codeFor ? { data: first.subarray(headBytes), ways } : undefined;
}

/** Undefined: its description is too long to be kept. */
export function encodeKeptCode({ data, ways }: KeptCode, codeFor: string): Buffer | undefined {
  const head = Buffer.alloc(headBytes);
  if (head.write(`${codeFor}\0${ways}\0`, "latin1") >= headBytes) return undefined;
  return Buffer.concat([head, data, head, data]);
}

/** V8 wants its data at a round address, or copies it first. */
const headBytes = 1024;

/** One way to read files for everything here: each function of Node that is new to the process costs time. */
export function readBytes(file: string, mustBeOwn: boolean): Buffer | undefined {
  let fd: number | undefined;
  try {
    // Package managers may make links of our own files.
    // A pipe in its place must not be waited for.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    fd = openSync(file, mustBeOwn ? flags | (constants.O_NOFOLLOW ?? 0) : flags);
    const { size, uid, mode } = fstatSync(fd);
    if (mustBeOwn && ((process.getuid?.() ?? uid) !== uid || (mode & 0o022) !== 0)) return undefined;
    const bytes = Buffer.allocUnsafeSlow(size);
    return readSync(fd, bytes, 0, size, 0) === size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
