/**
 * Lines that say how long they are and what their sum is, at their end: what was torn, cut or written by
 * somebody else is told from what was acknowledged, and a line that follows half of another one in the same
 * breath is still found.
 */
import { crc32 } from "node:zlib";

/** How length and sum are written behind what they are about. */
export interface FrameForm {
  readonly head: Buffer;
  /** Between the two. */
  readonly between: number;
  readonly tail: Buffer;
}

/** In a journal: `line TAB ~123 0a1b2c3d`. */
export const journalForm: FrameForm = { head: Buffer.from("\t~"), between: 0x20, tail: Buffer.from("") };
/** In the spool: the last member of an object, as `core/text/summed-line.ts` writes it. */
export const spoolForm: FrameForm = { head: Buffer.from(',"sum":"'), between: 0x2d, tail: Buffer.from('"}') };

export function frameLine(line: string): string {
  return `${line}\t~${Buffer.byteLength(line)} ${hex(crc32(line))}`;
}

/** Where the framed text begins and ends in one line. Undefined: no frame, or one of other bytes. */
export function findFrame(
  bytes: Buffer,
  start: number,
  end: number,
  { head, between, tail }: FrameForm,
): { readonly from: number; readonly to: number } | undefined {
  let at = end - tail.length - hexDigits;
  if (at <= start || !endsWith(bytes, end, tail)) return undefined;
  const sum = numberOfHex(bytes, at);
  if (bytes[--at] !== between) return undefined;
  let length = 0;
  let unit = 1;
  for (let digit = (bytes[at - 1] ?? 0) - 0x30; digit >= 0 && digit <= 9 && unit <= mostBytes; unit *= 10) {
    length += digit * unit;
    digit = (bytes[--at - 1] ?? 0) - 0x30;
  }
  const to = at - head.length;
  const from = to - length;
  if (unit === 1 || from < start || !endsWith(bytes, at, head)) return undefined;
  return crc32(bytes.subarray(from, to)) === sum ? { from, to } : undefined;
}

const hexDigits = 8;
const mostBytes = 10_000_000;

function hex(sum: number): string {
  return sum.toString(16).padStart(hexDigits, "0");
}

/** NaN: not all of them are digits. */
function numberOfHex(bytes: Buffer, at: number): number {
  let value = 0;
  for (let index = at; index < at + hexDigits; index++) {
    const byte = bytes[index] as number;
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : Number.NaN;
    value = value * 16 + digit;
  }
  return value;
}

function endsWith(bytes: Buffer, end: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[end - text.length + index] !== text[index]) return false;
  return true;
}
