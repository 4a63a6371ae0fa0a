/** Messages of a pipe: one JSON text a line, each at most so long. */
import { Buffer } from "node:buffer";

export interface LineReader {
  /** Takes bytes as they come. */
  push(chunk: Buffer | string): void;
  /** The pipe has ended: what came after the last line feed, which may be half a message. Undefined: nothing did. */
  end(): string | undefined;
}

export interface LineReaderOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line was longer and is skipped to its end: memory stays bounded, and the lines after it are read again. */
  readonly onTooLong: () => void;
}

const lineFeed = 0x0a;

export function createLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipping = false;

  const finish = (chunk: Buffer, start: number, end: number) => {
    if (skipping) {
      skipping = false;
      return;
    }
    if (parts.length > 0) return finishParts(chunk.subarray(start, end));
    if (end - start > maxBytes) return onTooLong();
    tell(chunk.toString("utf8", start, end));
  };
  const finishParts = (last: Buffer) => {
    const whole = Buffer.concat([...parts, last]);
    parts = [];
    bytes = 0;
    if (whole.length > maxBytes) return onTooLong();
    tell(whole.toString("utf8"));
  };
  const tell = (text: string) => {
    if (!isBlank(text)) onLine(text);
  };

  return {
    push(given) {
      const chunk = typeof given === "string" ? Buffer.from(given) : given;
      let start = 0;
      for (;;) {
        const end = chunk.indexOf(lineFeed, start);
        if (end === -1) break;
        finish(chunk, start, end);
        start = end + 1;
      }
      if (start === chunk.length) return;
      const rest = chunk.subarray(start);
      if (skipping) return;
      bytes += rest.length;
      if (bytes > maxBytes) {
        parts = [];
        bytes = 0;
        skipping = true;
        onTooLong();
      } else parts.push(rest);
    },
    end() {
      const rest = Buffer.concat(parts).toString("utf8");
      parts = [];
      bytes = 0;
      return isBlank(rest) ? undefined : rest;
    },
  };
}

function isBlank(text: string): boolean {
  return text.length === 0 || text.trim() === "";
}
