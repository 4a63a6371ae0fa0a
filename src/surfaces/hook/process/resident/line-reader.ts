/** Cuts bytes into lines of bounded length. */

export interface LineReader {
  /** Throws when a line grows too long. */
  add(chunk: Buffer): void;
}

export function createLineReader(maxBytes: number, onLine: (line: string) => void): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    add(chunk) {
      let rest = chunk;
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
        parts = [];
        length = 0;
        rest = rest.subarray(end + 1);
        onLine(line);
      }
      if (rest.length === 0) return;
      length += rest.length;
      if (length > maxBytes) throw new Error(`A line is longer than ${maxBytes} bytes.`);
      parts.push(rest);
    },
  };
}
