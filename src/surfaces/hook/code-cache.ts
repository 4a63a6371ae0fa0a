/**
 * What V8 made of our own files, kept for the next process: compiling them is the largest part of a check. V8 looks only at its own
 * version, its flags and the length of the text, and believes every bit of the rest; so the file belongs to this user alone, says which
 * build and which Node it is for, and holds everything twice, as the rule cache does.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { explainForeign } from "../../config/rule-cache/own-files.ts";

export interface KeptCode {
  readonly data: Buffer;
  /** Which ways through the code have been taken while it was kept: only what ran is in it. */
  readonly ways: readonly string[];
}

/** Undefined: there is none, or none that can be believed. */
export function readKeptCode(file: string, forWhom: string): KeptCode | undefined {
  const bytes = readBytes(file, true);
  if (bytes === undefined) return undefined;
  const half = bytes.length / 2;
  const first = bytes.subarray(0, half);
  if (bytes.length % 2 !== 0 || !first.equals(bytes.subarray(half))) return undefined;
  // One line of text, then the code.
  const end = first.indexOf(10);
  if (end === -1) return undefined;
  const [mark, ways = "", ...written] = first.toString("utf8", 0, end).split("\t");
  if (mark !== codeMark || written.join("\t").trimEnd() !== forWhom.trimEnd()) return undefined;
  return { data: first.subarray(end + 1), ways: ways.split(" ") };
}

export function encodeKeptCode({ data, ways }: KeptCode, forWhom: string): Buffer {
  const head = Buffer.from(`${codeMark}\t${ways.join(" ")}\t${forWhom}`);
  // V8 wants its data at a round address, or copies it first.
  const room = Buffer.from(`${" ".repeat(7 - (head.length % 8))}\n`);
  const half = Buffer.concat([head, room, data]);
  return Buffer.concat([half, half]);
}

const codeMark = "toolgate-code-1";

/** One way to read files for everything in the entry: each function of Node that is new to the process costs time. */
export function readBytes(file: string, mustBeOwn: boolean): Buffer | undefined {
  let fd: number;
  try {
    // Package managers may make links of our own files.
    fd = openSync(file, mustBeOwn ? constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) : constants.O_RDONLY);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || (mustBeOwn && explainForeign(stat) !== undefined)) return undefined;
    const bytes = Buffer.allocUnsafeSlow(stat.size);
    return readSync(fd, bytes, 0, stat.size, 0) === stat.size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
