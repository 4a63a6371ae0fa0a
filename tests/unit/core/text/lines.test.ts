import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../../../../src/core/text/lines.ts";

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => lines.push(line.trimEnd()),
    onTooLong: () => {
      tooLong++;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, tooLong, rest: reader.end() };
}

describe("a reader of lines", () => {
  it("finds the same lines however the bytes are cut", () => {
    const text = '{"a":"grün 🦊"}\n\n{"b":2}\r\n{"c":3}\n';
    const bytes = Buffer.from(text);
    const whole = read([bytes]).lines;
    expect(whole).toEqual(['{"a":"grün 🦊"}', '{"b":2}', '{"c":3}']);
    expect(read([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(whole);
  });

  it("does not take what has no end for a message, but gives it back", () => {
    expect(read(["{}\n{", '"a"'])).toEqual({ lines: ["{}"], tooLong: 0, rest: '{"a"' });
    expect(read(["{}\n \r"]).rest).toBeUndefined();
    expect(read(["x".repeat(50)], 10)).toEqual({ lines: [], tooLong: 1, rest: undefined });
  });

  it("skips a line that is too long, tells so once, and reads on after it", () => {
    const long = "x".repeat(50);
    expect(read([long, long, long, "\nok\n"], 60)).toEqual({ lines: ["ok"], tooLong: 1, rest: undefined });
    expect(read([`${long}${long}\nok\n`], 60)).toEqual({ lines: ["ok"], tooLong: 1, rest: undefined });
  });
});
