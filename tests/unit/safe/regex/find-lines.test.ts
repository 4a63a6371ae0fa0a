import { describe, expect, it } from "vitest";
import { createFindLines } from "../../../../src/safe/regex/find-lines.ts";

const find = (source: string, text: string, most?: number) =>
  createFindLines({ source, anchored: /[\^$]/.test(source) })(text, most)?.map(({ start, end }) =>
    text.slice(start, end),
  );

describe("the lines of a text", () => {
  it("are found once each, in order", () => {
    expect(find("a", "aa\nb\na")).toEqual(["aa", "a"]);
    expect(find("", "x\n\ny")).toEqual(["x", "", "y"]);
    expect(find("^$", "\n\na\n")).toEqual(["", "", ""]);
    expect(find("z", "")).toEqual([]);
  });

  it("are as many as asked for", () => {
    expect(find("a", "a1\na2\na3", 2)).toEqual(["a1", "a2"]);
  });

  it("end at line feeds only", () => {
    expect(find("^b", "a\rb\u2028b\nb")).toEqual(["b"]);
    expect(find("a$", "a\rb\na")).toEqual(["a"]);
    expect(find("b", "a\rb\nc")).toEqual(["a\rb"]);
  });

  it("tell where the match is", () => {
    expect(createFindLines({ source: "b", anchored: false })("xx\nab")).toEqual([
      { start: 3, end: 5, match: 4 },
    ]);
  });

  it.each(["(?:a+)+$", "(?:a|a)*b", "a*a*a*a*a*c"])("come back for %s, found or undecided", (source) => {
    const long = "a".repeat(60_000);
    for (const text of [long, `${long}\n${long}`, "a".repeat(900).concat("\n").repeat(60)]) {
      expect(["undefined", "object"]).toContain(typeof find(source, text));
    }
  });
});
