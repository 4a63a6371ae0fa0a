/** Makes lines of chunks of bytes, each at most so long: messages of a pipe, answers of a daemon. */
import { Buffer } from "node:buffer";

export interface LineReaderOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line was longer and is skipped to its end: memory stays bounded, and the next lines are read again. */
  readonly onTooLong: () => void;
  /** Blank lines count, too. */
  readonly keepBlank?: true;
}

const lineFeed = 0x0a;

export function createLineReader({ maxBytes, onLine, onTooLong, keepBlank }: LineReaderOptions) {
  let parts: Buffer[] = [];
  let bytes = 0;
  let skipping = false;

  const add = (part: Buffer) => {
    if (skipping || part.length === 0) return;
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else {
      skipping = true;
      parts = [];
      onTooLong();
    }
  };
  /** Undefined: there is none, or it was too long. */
  const finish = (): string | undefined => {
    const [first, ...more] = parts;
    const whole = first === undefined || more.length === 0 ? first : Buffer.concat(parts);
    const text = skipping ? undefined : (whole?.toString("utf8") ?? "");
    parts = [];
    bytes = 0;
    skipping = false;
    return text === undefined || (keepBlank !== true && text.trim() === "") ? undefined : text;
  };

  return {
    /** Takes bytes as they come. */
    push(given: Buffer | string): void {
      const chunk = typeof given === "string" ? Buffer.from(given) : given;
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        add(chunk.subarray(start, end));
        start = end + 1;
        const line = finish();
        if (line !== undefined) onLine(line);
      }
      add(chunk.subarray(start));
    },
    /** The pipe has ended: what came after the last line feed, which may be half a message. Undefined: nothing did. */
    end: finish,
  };
}
