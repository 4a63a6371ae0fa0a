import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SafePattern } from "../../../../src/core/ports/pattern.ts";
import { isPlainSequence } from "../../../../src/safe/regex/pattern-syntax.ts";
import { compileForeignPattern, compilePattern, testAll } from "../../../../src/safe/regex/safe-regex.ts";
import { words } from "../../../words.ts";

function pattern(source: string, flags?: string): SafePattern {
  const result = compilePattern(source, flags);
  if (!result.ok) throw new Error(result.message);
  return result.pattern;
}

describe("compilePattern", () => {
  test("answers as RegExp does, whichever engine runs", () => {
    const atoms = words(
      "a K s . \\w \\W [a-k] [^B-S] [Z-a] \\x41 \\u0042 \\- [\\]a] \u00e9 \\u{61} \\p{L} \\b ^ $ (?=a) (?!s)",
    );
    const piece: fc.Arbitrary<string> = fc.letrec<{ seq: string; unit: string }>((tie) => ({
      seq: fc.array(tie("unit"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
      unit: fc.oneof(
        { depthSize: "small", maxDepth: 3 },
        fc.constantFrom(...atoms),
        fc
          .tuple(fc.constantFrom("a", "[a-k]", "."), fc.constantFrom("?", "*", "+", "*?", "{1,3}"))
          .map((two) => two.join("")),
        fc.tuple(tie("seq"), tie("seq")).map(([a, b]) => `(${a}|${b})`),
      ),
    })).seq;
    const letters = words("a A k K \u212a \u017f s S \u00e9 \u00c9 \u{1f600} \ud83d - [ _ \u0131");
    const texts = fc.array(fc.constantFrom("\n", ...letters), { maxLength: 8 });
    let linear = 0;
    fc.assert(
      fc.property(
        piece,
        fc.constantFrom("", "i", "u", "iu", "im", "s"),
        fc.array(texts, { minLength: 4, maxLength: 4 }),
        (source, flags, samples) => {
          let native: RegExp;
          try {
            native = new RegExp(source, flags);
          } catch {
            expect(compilePattern(source, flags).ok).toBe(false);
            return;
          }
          const safe = compilePattern(source, flags);
          // Only patterns in doubt start a process; here they would only cost time.
          if (!safe.ok) throw new Error(safe.message);
          if (safe.pattern.linear) linear++;
          for (const text of samples.map((parts) => parts.join(""))) {
            expect(safe.pattern.exec(text)).toEqual(native.exec(text));
            expect(safe.pattern.test(text)).toBe(native.test(text));
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(linear).toBeGreaterThan(100);
  });

  test("keeps ordinary case-insensitive and Unicode patterns on the linear engine", () => {
    for (const [source, flags] of [
      ["rm -rf|DROP TABLE", "i"],
      ["^[a-z0-9_-]+$", "u"],
      ["(?<verb>get|post) /", "iu"],
      ["\\bgit\\s+push\\b", ""],
    ] as const) {
      expect([source, pattern(source, flags).linear]).toEqual([source, true]);
    }
    expect(pattern("(?!a)b").linear).toBe(false);
  });

  test("understands a leading (?i) and Python's group names", () => {
    expect(pattern("(?i)drop table").test("DROP TABLE users")).toBe(true);
    expect(pattern("(?P<x>a+)-(?P=x)").exec("aa-aa")?.[1]).toBe("aa");
    expect(pattern("[(?P<]x").test("Px")).toBe(true);
  });

  test.each([
    ["(", "", "Unterminated group"],
    ["a", "y", 'the flag "y"'],
    ["a", "uv", "Invalid flags"],
    ["x".repeat(5_001), "", "longer than 5000 characters"],
    ["a{20000}", "", "repeats more than 10000 times"],
    ["(?:(?:a{1000}){1000}){1000}", "", "multiply"],
    [`${"(?:".repeat(200)}a${")".repeat(200)}`, "", "nests groups"],
    [`${"(?:".repeat(12)}a${")*".repeat(12)}`, "", "nests repetitions"],
  ])("refuses %j with flags %j and says why", (source, flags, why) => {
    expect(compilePattern(source, flags)).toMatchObject({ ok: false, message: expect.stringContaining(why) });
  });

  test("is undecided, not wrong, when a text is too long for a pattern without a linear twin", () => {
    expect(pattern("(?=x)x").test(`${"a".repeat(200_000)}x`)).toBeUndefined();
    expect(pattern("x$").test(`${"a".repeat(2_000_000)}x`)).toBe(true);
  });
});

describe("testAll", () => {
  test("answers in the order of the patterns", () => {
    const patterns = ["^a", "(?=b)", "c$", "(?!z)d"].map((source) => pattern(source));
    expect(testAll(patterns, "abc")).toEqual([true, true, true, false]);
    expect(testAll([], "abc")).toEqual([]);
  });

  test("lets one slow pattern leave the linear ones decided", () => {
    const answers = testAll(
      ["^(a+)+$", "^(?=(a+)+$)", "!$"].map((source) => pattern(source)),
      `${"a".repeat(60)}!`,
    );
    expect(answers).toEqual([false, undefined, true]);
  });

  test("decides long texts by the strict linear engine when the fast one runs out of time", () => {
    expect(testAll([pattern("\\s+$")], `${" ".repeat(60_000)}x`)).toEqual([false]);
    expect(pattern("\\s+$").test(`${" ".repeat(60_000)}x`)).toBe(false);
  });
});

test("compileForeignPattern takes the patterns that schemas usually have", () => {
  for (const source of words(
    "^[a-z]+$ ^\\d{4}-\\d{2}-\\d{2}$ ^(https?|ftp)://[^\\s/$.?#].[^\\s]*$ ^.{1,255}$ \\u0041",
  )) {
    expect([source, compileForeignPattern(source, "u").ok]).toEqual([source, true]);
  }
});

describe("a plain sequence", () => {
  test("is a row of characters, which needs no trial before it is compiled", () => {
    for (const source of ["", "rm -rf", "^git push", "^npm$", "\\.env", "a.b", "/etc/", "x".repeat(200)])
      expect([source, isPlainSequence(source, "i")]).toEqual([source, true]);
  });

  test("holds nothing that can be passed in two ways, repeated, left out or looked around for", () => {
    const others = ["a?", "a*", "a+", "a{2}", "a|b", "(a)", "(?=a)", "[ab]", "\\b", "\\s", "\\1", "a^", "^^"];
    for (const source of [...others, "$$", "$a", "\\", "é", "a\nb", "x".repeat(201)])
      expect([source, isPlainSequence(source, "")]).toEqual([source, false]);
    for (const flag of ["u", "m", "v"]) expect(isPlainSequence("a", flag)).toBe(false);
  });
});
