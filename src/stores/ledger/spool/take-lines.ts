/** Takes the lines of a file piece by piece. What is no record is kept aside and noted; the rest is taken. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerKind } from "../../../core/ports/ledger-reader.ts";
import { type FrameForm, findFrame } from "./frames.ts";
import { setAside } from "./set-aside.ts";

/** In one transaction; other writers wait meanwhile. */
const bytesAtOnce = 256 * 1024;
/** No line is longer; what is would be no line of ours. */
const longestLine = 2 * 1024 * 1024;
/** Used again and again: of many that come and go, the system gives back few. */
const piece = Buffer.alloc(bytesAtOnce);
const lineFeed = 0x0a;

/** Where lines go. */
export interface LineLedger {
  readonly stateFolder: string;
  now(): number;
  append(kind: LedgerKind, facts: JsonObject): void;
}

export interface LineSource {
  /** In the state folder. */
  readonly name: string;
  readonly form: FrameForm;
  /** Nobody writes to it any more: what stands behind the last line break was never finished. */
  readonly isOver: boolean;
  /** Is a line without a sum a record from before there were sums? */
  readonly isOld: (line: string) => boolean;
  /** False: it is no record, and nothing was done. `isSummed`: it had a sum, which is not part of `line`. */
  readonly take: (line: string, isSummed: boolean) => boolean;
}

export interface TakenLines {
  readonly lines: number;
  /** How many bytes are dealt with. */
  readonly bytes: number;
  /** Why something could not be kept aside; nothing behind it was taken. */
  readonly problem?: unknown;
}

/** `from`: where in the file these bytes begin. */
export function takeLines(ledger: LineLedger, bytes: Buffer, from: number, source: LineSource): TakenLines {
  const isAll = source.isOver || bytes.length > longestLine;
  const end = isAll ? bytes.length : bytes.lastIndexOf(lineFeed) + 1;
  let lines = 0;
  /** From here on there is no record yet. */
  let badFrom = -1;
  // Not all of them as one text: that would be garbage of the kind that stays for long.
  for (let start = 0, next = 0; start < end; start = next + 1) {
    const found = bytes.indexOf(lineFeed, start);
    next = found === -1 ? end : found;
    if (next === start) continue;
    const frame = found === -1 ? undefined : findFrame(bytes, start, next, source.form);
    const at = frame?.from ?? start;
    const line = bytes.toString("utf8", at, frame?.to ?? next);
    if (frame === undefined && (found === -1 || !source.isOld(line))) {
      if (badFrom === -1) badFrom = start;
      continue;
    }
    // What a process could not finish stands before what the next one wrote.
    if (at > start && badFrom === -1) badFrom = start;
    if (badFrom !== -1) {
      const problem = keepAside(ledger, bytes.subarray(badFrom, at), from + badFrom, source.name);
      if (problem !== undefined) return { lines, bytes: badFrom, problem };
      badFrom = -1;
    }
    if (source.take(line, frame !== undefined)) lines++;
    else badFrom = at;
  }
  const problem =
    badFrom === -1 ? undefined : keepAside(ledger, bytes.subarray(badFrom, end), from + badFrom, source.name);
  return problem === undefined ? { lines, bytes: end } : { lines, bytes: badFrom, problem };
}

/** Undefined: it is kept, and the ledger says so. */
function keepAside(ledger: LineLedger, bytes: Buffer, offset: number, source: string): unknown {
  let kept: string;
  try {
    kept = setAside(ledger.stateFolder, source, offset, bytes);
  } catch (error) {
    return error;
  }
  ledger.append("note", {
    at: ledger.now(),
    code: "line_rejected",
    message: `${bytes.length} bytes of ${source} could not be read as records; they are kept in ${kept}.`,
    about: { source, offset, bytes: bytes.length, kept },
  });
  return undefined;
}

/** From `from` on, with at least one whole line if there is one. `isAll`: nothing follows. */
export function readPiece(
  fd: number,
  from: number,
  size: number,
): { readonly bytes: Buffer; readonly isAll: boolean } {
  const left = Math.max(0, size - from);
  for (let most = bytesAtOnce; ; most *= 2) {
    const into = most === bytesAtOnce ? piece : Buffer.alloc(most);
    const count = readSync(fd, into, 0, Math.min(most, left), from);
    const bytes = into.subarray(0, count);
    const isAll = count >= left;
    if (isAll || most > longestLine || bytes.includes(lineFeed)) return { bytes, isAll };
  }
}

/** A link or a pipe in its place is not ours. */
export function openLines(path: string): { readonly fd: number; readonly stat: Stats } {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  closeSync(fd);
  throw new Error("it is not a regular file");
}
