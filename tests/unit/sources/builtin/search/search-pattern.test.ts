import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSearchPattern } from "../../../../../src/sources/builtin/search/pattern/search-pattern.ts";
import { words } from "../../../../words.ts";

function finds(
  pattern: string,
  text: string,
  options: { ignoreCase?: boolean; literal?: boolean } = {},
): string[] {
  const compiled = compileSearchPattern(pattern, { ignoreCase: false, literal: false, ...options });
  if (!compiled.ok) throw new Error(compiled.message);
  const hits = compiled.finderFor(text, false)(text);
  return (hits ?? []).map(({ start, end }) => text.slice(start, end));
}

describe("a pattern to search for", () => {
  it.each([
    ["foo.*bar", "xfoo 1 bar\nfoo\nbar", ["xfoo 1 bar"]],
    ["^foo$", "foo\nfoo \n foo", ["foo"]],
    ["^$", "a\n\nb", [""]],
    ["\\bid\\b", "id\nidea\nan id.", ["id", "an id."]],
    ["function foo() {", "function foo {", ["function foo {"]],
    ["interface{}", "x interface{} y", ["x interface{} y"]],
    ["(?i)FOO", "foo\nbar", ["foo"]],
    ["(?i:F)o", "fo\nFo\nfO", ["fo", "Fo"]],
    ["(?P<name>a)b", "ab", ["ab"]],
    ["[[:space:]]x", " x\nyx", [" x"]],
    ["[^[:alpha:]]1", "a1\n-1", ["-1"]],
    ["\\p{Lu}\\p{Ll}", "Éa\néa", ["Éa"]],
    ["😀+!", "a😀😀!", ["a😀😀!"]],
    ["[😀x]y", "😀y\nzy", ["😀y"]],
    ["a.c", "a😀c", ["a😀c"]],
    ["^.{3}$", "a😀c\nabcd", ["a😀c"]],
    ["a[^b]c", "a\nc\naxc", ["axc"]],
    ["a\\sb", "a\nb\na b", ["a b"]],
    ["x$", "x\ry\nx", ["x"]],
    ["a|^b", "xa\nxb\nb", ["xa", "b"]],
    ["a{2,3}?", "aa\na", ["aa"]],
    ["\\/\\-\\.", "/-.", ["/-."]],
    ["\\u00e9\\x41\\t", "éA\t", ["éA\t"]],
  ])("%j finds the lines of %j", (pattern, text, expected) => {
    expect(finds(pattern, text)).toEqual(expected);
  });

  it("ignores case in every script, but never mixes ASCII with other letters", () => {
    const text = "straße\nÄRGER\nкод\nk\n\u212a\ns\n\u017f";
    const lines = (pattern: string) => finds(pattern, text, { ignoreCase: true });
    expect(lines("STRA")).toEqual(["straße"]);
    expect(lines("ärger")).toEqual(["ÄRGER"]);
    expect(lines("КОД")).toEqual(["код"]);
    expect(lines("^K$")).toEqual(["k"]);
    expect(lines("^[q-s]$")).toEqual(["s"]);
    expect(finds("[^a]", "A\nb", { ignoreCase: true })).toEqual(["b"]);
  });

  it("takes plain text as it is", () => {
    expect(finds("a.b(c)[d]{2}|^$\\/", "a.b(c)[d]{2}|^$\\/\nab", { literal: true })).toHaveLength(1);
    expect(finds("(?i)x", "(?i)x\nX", { literal: true })).toEqual(["(?i)x"]);
  });

  it.each([
    ["a(?=b)", "look-around"],
    ["(?<!a)b", "look-around"],
    ["(a)\\1", "back-references"],
    ["(?<n>a)\\k<n>", "back-references"],
    ["a\\nb", "never leaves its line"],
    ["\\Aa", "use ^ or $"],
    ["\\Ka", "\\K is not known"],
    ["(", "Unterminated group"],
    ["*a", "Nothing to repeat"],
    ["a{1001}", "1000 times"],
    ["[b-a]", "out of order"],
    ["(?s:a)b", "not taken"],
    ["a".repeat(1_001), "longer than"],
    ["a?".repeat(41), "too complex"],
  ])("%j is refused with a reason", (pattern, reason) => {
    const compiled = compileSearchPattern(pattern, { ignoreCase: false, literal: false });
    expect(compiled).toMatchObject({ ok: false });
    expect(!compiled.ok && compiled.message).toContain(reason);
  });

  it.each(["(a+)+$", "(a|a)*b", "(.*)*x", "a*a*a*a*a*b", "(?:\\w+\\s?)*$"])(
    "%s comes back on any text",
    (pattern) => {
      const compiled = compileSearchPattern(pattern, { ignoreCase: false, literal: false });
      if (!compiled.ok) throw new Error(compiled.message);
      const text = `${"a".repeat(50_000)}!\n${"a ".repeat(400)}!`;
      const started = process.cpuUsage();
      compiled.finderFor(text, false)(text);
      expect(process.cpuUsage(started).user).toBeLessThan(1_500_000);
    },
  );

  it("means the same as JavaScript's own engine, line by line", () => {
    const atom = fc.constantFrom(...words("a B é 😀 . \\w \\W \\d \\s \\S [a-c] [^a] \\b \\B ^ $ x"));
    const times = fc.constantFrom("", "", "*", "+", "?", "{2}", "+?");
    const piece = fc
      .tuple(atom, times)
      .map(([one, many]) => (/^(?:\^|\$|\\b|\\B)$/.test(one) ? one : one + many));
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const text = fc
      .array(fc.constantFrom("a", "b", "B", "x", " ", "é", "😀", "1", "\n", "\r", "\u2028"), {
        maxLength: 20,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(pattern, text, (source, lines) => {
        const own = new RegExp(source, "us");
        expect(finds(source, lines)).toEqual(lines.split("\n").filter((line) => own.test(line)));
      }),
      { numRuns: 500 },
    );
  });
});
