import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../../../../src/safe/files/documents/read-json.ts";

/** `line:column message` */
function problemOf(text: string): string {
  const read = readJson(text);
  return read.ok ? "no problem" : `${read.problem.line}:${read.problem.column} ${read.problem.message}`;
}

describe("readJson", () => {
  it("gives what JSON.parse gives, frozen", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(undefined, 2, "\t"), (text, indent) => {
        fc.pre(!/\ufffd|__proto__|[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/.test(text));
        const value: unknown = JSON.parse(text);
        const read = readJson(JSON.stringify(value, undefined, indent));
        expect(read).toMatchObject({ ok: true });
        if (read.ok) expect(JSON.stringify(read.value)).toBe(JSON.stringify(value));
        if (read.ok && typeof read.value === "object" && read.value !== null)
          expect(Object.isFrozen(read.value)).toBe(true);
      }),
    );
  });

  it("knows where each value and each key stands, tabs and escapes in between", () => {
    const text = '\ufeff{\n\t"a\\"b": [1, {"c" : true}],\n\t"d":\n\t\t"x\\\\"\n}\n';
    const read = readJson(text);
    if (!read.ok) throw new Error(read.problem.message);
    expect(read.placeOf(['a"b', 1, "c"])).toEqual({ line: 2, column: 21 });
    expect(read.placeOf(['a"b', 1, "c"], "key")).toEqual({ line: 2, column: 15 });
    expect(read.placeOf(["d"])).toEqual({ line: 4, column: 3 });
    expect(read.placeOf(["d"], "key")).toEqual({ line: 3, column: 2 });
    expect(read.placeOf(["d", "none"])).toEqual({ line: 4, column: 3 });
    expect(read.placeOf([])).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ["", "1:1 The file is not valid JSON: the text ends too early."],
    ['{\n  "a": 1,\n}', '3:1 The file is not valid JSON: nothing follows the last ","; remove it.'],
    ['{\n  "a": 1\n  "b": 2}', '3:3 The file is not valid JSON: a "," or "}" is missing.'],
    [
      '{"a": "x',
      "1:7 The file is not valid JSON: a text in quotes is not closed, or holds a line break or a wrong escape.",
    ],
    [
      '{"a": 1,\n "b": {"a": 2, "\\u0061": 3}}',
      '2:16 The key "a" is already in line 2; keep one of the two.',
    ],
    [
      '{"a": "\u202e"}',
      '1:8 The file holds the invisible character \\u{202E}; remove it, or write it as "\\u202E" in double quotes.',
    ],
  ])("says what is wrong with %j, and where", (text, told) => {
    expect(problemOf(text)).toBe(told);
  });

  it("refuses what is too deep or too large", () => {
    expect(problemOf("[".repeat(100_000) + "]".repeat(100_000))).toContain("nested deeper than 64 levels");
    expect(problemOf(`"${"x".repeat(1024 * 1024)}"`)).toContain("larger than 1048576 bytes");
    expect(problemOf('{"__proto__": {"x": 1}}')).toContain("__proto__");
  });
});
