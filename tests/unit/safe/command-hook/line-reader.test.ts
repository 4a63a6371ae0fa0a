import { describe, expect, it } from "vitest";
import { LineReader } from "../../../../src/safe/command-hook/line-reader.ts";

function read(chunks: readonly string[], maxBytes = 100): { lines: string[]; tooLong: number } {
  const seen = { lines: [] as string[], tooLong: 0 };
  const reader = new LineReader(maxBytes, {
    line: (text) => seen.lines.push(text),
    tooLong: () => {
      seen.tooLong++;
    },
  });
  for (const chunk of chunks) reader.take(Buffer.from(chunk, "latin1"));
  return seen;
}

describe("lines of a process", () => {
  it("are whole, however they arrive", () => {
    expect(read(["a\nb", "c\n\nd"]).lines).toEqual(["a", "bc", ""]);
    const bytes = Buffer.from("grüße\n").toString("latin1");
    expect(read([...bytes]).lines).toEqual(["grüße"]);
  });

  it("are dropped when they are too long, and told once", () => {
    expect(read(["x".repeat(60), "x".repeat(60), "x".repeat(60), "\nafter\n"])).toEqual({
      lines: ["after"],
      tooLong: 1,
    });
  });
});
