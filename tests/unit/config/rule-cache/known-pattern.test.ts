import { describe, expect, it } from "vitest";
import { fewTries, KnownPattern, testAllKnown } from "../../../../src/config/rule-cache/known-pattern.ts";
import { compilePattern, testAll } from "../../../../src/safe/regex/safe-regex.ts";

function known(source: string, flags = "", tries = fewTries()): KnownPattern {
  const compiled = compilePattern(source, flags);
  if (!compiled.ok) throw new Error(compiled.message);
  const { pattern } = compiled;
  return new KnownPattern(
    { written: { source, flags }, source: pattern.source, flags: pattern.flags, linear: pattern.linear },
    tries,
  );
}

const cases: readonly (readonly [source: string, flags: string])[] = [
  ["^git (push|pull)", ""],
  ["(?<!no-)force", ""],
  ["(?=.*a)(?=.*b)", ""],
  ["(\\w)\\1", "i"],
  ["GIT", "i"],
  ["TASK", "iu"],
  ["(?i)git", ""],
  ["(?P<a>x)(?P=a)", ""],
  ["^two$", "m"],
  ["a.b", "s"],
];
const texts = [
  ...["", "git push", "GIT PULL", "no-force", "force", "ab", "b a", "aa", "xx", "ta\u017fk"],
  ...["one\ntwo", "a\nb"],
];

describe("a pattern from the cache", () => {
  it("answers like the pattern it was written from, by its quick tries and without them", () => {
    for (const [source, flags] of cases) {
      const compiled = compilePattern(source, flags);
      const fresh = compiled.ok ? compiled.pattern : undefined;
      for (const text of texts) {
        for (const tries of [fewTries(), { left: 0 }]) {
          const where = `/${source}/${flags} on ${JSON.stringify(text)} with ${tries.left} tries`;
          expect(known(source, flags, tries).test(text), where).toBe(fresh?.test(text));
          const groups = known(source, flags, tries).exec(text);
          expect(groups && [...groups], where).toEqual(fresh?.exec(text) && [...(fresh.exec(text) ?? [])]);
        }
      }
    }
  });

  it("answers together with others as it does alone", () => {
    const together = cases.map(([source, flags]) => known(source, flags));
    for (const text of texts) {
      const plain = cases.map(([source, flags]) => {
        const compiled = compilePattern(source, flags);
        if (!compiled.ok) throw new Error(compiled.message);
        return compiled.pattern;
      });
      expect(testAllKnown(together, text)).toEqual(testAll(plain, text));
    }
  });

  it("is undecided where the pattern it was written from is", () => {
    const hard = "^(?=(?:a|a)*$)(?:a|a)*$(?!b)";
    const text = `${"a".repeat(60)}b`;
    expect(known(hard).test(text)).toBeUndefined();
    expect(known(hard).exec(text)).toBeUndefined();
    expect(testAllKnown([known(hard), known("a")], text)[0]).toBeUndefined();
    // Longer than what is tried without a linear engine.
    const long = `${"xy".repeat(100_000)}zz`;
    expect(known("(\\w)\\1").test(long)).toBeUndefined();
    expect(testAllKnown([known("(\\w)\\1")], long)).toEqual([undefined]);
    expect(known("zz").test(long)).toBe(true);
  });
});
