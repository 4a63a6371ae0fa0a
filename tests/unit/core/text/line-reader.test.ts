import { describe, expect, it } from "vitest";
import { LineReader } from "../../../../src/core/text/line-reader.ts";

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

  it("may be as long as the limit says, and no longer", () => {
    expect(read(["12345\n123456\n1234\n"], 5)).toEqual({ lines: ["12345", "1234"], tooLong: 1 });
  });
});

describe("a text in pieces", () => {
  function readText(chunks: readonly string[], most: number, lineEnd?: string) {
    const seen: (string | undefined)[] = [];
    const listener = { line: (text: string) => seen.push(text), tooLong: () => seen.push(undefined) };
    const reader = new LineReader(most, listener, lineEnd);
    for (const chunk of chunks) reader.take(chunk);
    reader.end();
    return seen;
  }

  it("is counted in characters, and its last line needs no end", () => {
    expect(readText(["grü", "ße\nab", "c"], 5)).toEqual(["grüße", "abc"]);
  });

  it("tells of a last line that is too long once", () => {
    expect(readText(["abc\nabc", "def"], 5)).toEqual(["abc", undefined]);
  });

  it("is cut where the caller says that lines end", () => {
    expect(readText(["a\nb\0", "\0c"], 5, "\0")).toEqual(["a\nb", "", "c"]);
  });
});
