/** Picks a range of lines out of a file that streams by, within a number of bytes, and counts the rest. */
import { isUtf8 } from "node:buffer";
import type { TextBlock } from "./text-blocks.ts";

export interface WindowOptions {
  /** Counted from 0. */
  readonly from: number;
  readonly count: number;
  /** For all lines together, line numbers included. */
  readonly maxBytes: number;
  /** A longer line is cut. */
  readonly maxLineBytes: number;
}

export interface ShownLine {
  readonly text: string;
  /** How many bytes of the line are not shown; infinite when nobody counted. */
  readonly cutBytes: number;
}

export interface WindowText {
  readonly lines: readonly ShownLine[];
  /** The bytes are no UTF-8 and were read as Latin-1. */
  readonly latin1: boolean;
}

/** The number, the tab and the line feed that are written around each line. */
const bytesAround = 8;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

export class LineWindow {
  /** Lines that went by. */
  lineCount = 0;
  windowsEndings = 0;
  /** The lines of the file end with carriage returns alone. */
  byReturns = false;
  /** More lines were asked for than fit. */
  outOfSpace = false;
  readonly #options: WindowOptions;
  readonly #kept: { readonly bytes: Buffer; readonly cutBytes: number }[] = [];
  #bytesLeft: number;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#bytesLeft = options.maxBytes;
  }

  get isFull(): boolean {
    return this.outOfSpace || this.#kept.length >= this.#options.count;
  }

  get keptCount(): number {
    return this.#kept.length;
  }

  take({ bytes, cut }: TextBlock): void {
    // Only a whole file can arrive without a line feed before any line was counted.
    this.byReturns =
      this.lineCount === 0 && !cut && !bytes.includes(lineFeed) && bytes.includes(carriageReturn);
    const last = this.byReturns ? carriageReturn : lineFeed;
    for (let at = 0; at < bytes.length; ) {
      const feed = bytes.indexOf(last, at);
      const end = feed === -1 ? bytes.length : feed;
      const isWindows = last === lineFeed && feed > at && bytes[feed - 1] === carriageReturn;
      if (isWindows) this.windowsEndings += 1;
      if (this.lineCount >= this.#options.from && !this.isFull)
        this.#keep(bytes.subarray(at, isWindows ? end - 1 : end), cut);
      this.lineCount += 1;
      at = end + 1;
    }
  }

  text(): WindowText {
    const latin1 = !this.#kept.every(({ bytes }) => isUtf8(bytes));
    const lines = this.#kept.map(({ bytes, cutBytes }) => ({
      text: bytes.toString(latin1 ? "latin1" : "utf8"),
      cutBytes,
    }));
    return { lines, latin1 };
  }

  #keep(line: Buffer, unfinished: boolean): void {
    const room = this.#bytesLeft - bytesAround;
    const wanted = Math.min(line.length, this.#options.maxLineBytes);
    if (wanted > room && this.#kept.length > 0) {
      this.outOfSpace = true;
      return;
    }
    const length =
      wanted < line.length || wanted > room ? wholeCharacters(line, Math.min(wanted, room)) : wanted;
    const cutBytes = unfinished ? Number.POSITIVE_INFINITY : line.length - length;
    // A copy: the block is used again.
    this.#kept.push({ bytes: Buffer.from(line.subarray(0, length)), cutBytes });
    this.#bytesLeft -= length + bytesAround;
  }
}

/** Cut before a character that would not fit whole. */
function wholeCharacters(bytes: Buffer, most: number): number {
  let length = Math.max(0, most);
  for (let steps = 0; steps < 3 && length > 0 && ((bytes[length] ?? 0) & 0xc0) === 0x80; steps++) length -= 1;
  return length;
}
