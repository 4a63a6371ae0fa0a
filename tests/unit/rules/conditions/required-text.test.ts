import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Requirement, requiredText } from "../../../../src/rules/conditions/required-text.ts";
import { occursIn } from "../../../../src/rules/find-route.ts";
import {
  flags as anyFlags,
  anyText,
  likelyText,
  type PatternNode,
  pattern,
  print,
  randomFrom,
} from "../generated-patterns.ts";

/** As `findRoute` asks it. */
function mayMatch(required: Requirement | undefined, text: string): boolean {
  if (required === undefined) return true;
  return occursIn(required.needs, required.foldsCase ? text.toLowerCase() : text);
}

function needs(source: string, flags = ""): unknown {
  // A route's pattern is read back from the RegExp, which writes some characters differently.
  return requiredText(new RegExp(source, flags).source, flags)?.needs;
}

describe("the text that a pattern requires", () => {
  it.each<[what: string, source: string, flags: string, expected: unknown]>([
    ["plain letters", "git push", "", "git push"],
    ["escapes of plain characters", "github\\.com\\/a", "", "github.com/a"],
    ["hexadecimal and Unicode escapes", "\\x67\\u0069t", "", "git"],
    ["a code point behind flag u", "\\u{1f600}a", "u", "😀a"],
    ["an octal escape", "\\101b", "", "Ab"],
    ["a line break", "a\nb", "", "a\nb"],
    ["letters around an edge", "\\bgit\\b", "", "git"],
    ["letters at the start and the end of a line", "^git$", "m", "git"],
    ["texts on both sides of a gap", "git push.*--force", "", ["git push", "--force"]],
    ["what is repeated at least once, with its neighbours", "ab+c", "", ["ab", "bc"]],
    ["a lazy repeat", "ab+?c", "", ["ab", "bc"]],
    ["a counted repeat", "a{3}b", "", "aaab"],
    ["a repeat with a least number", "xa{2,5}y", "", ["xa", "ay"]],
    ["a class of one character", "a[.]b", "", "a.b"],
    ["groups of every kind", "(a)(?:b)(?<n>c)", "", "abc"],
    ["one of some alternatives", "rm|unlink", "", [["rm", "unlink"]]],
    ["alternatives inside a row", "git (?:push|pull) x", "", ["git ", ["push", "pull"], " x"]],
    ["what a look-ahead sees", "a(?=.*--force)", "", ["--force", "a"]],
    ["what a look-behind sees", "(?<=sudo )rm", "", ["sudo ", "rm"]],
    ["letters next to a look-around", "a(?!b)c", "", "ac"],
    ["lower case where case is ignored", "GitHub", "i", "github"],
    ["the ASCII letters around another one where case is ignored", "abcéd", "i", ["abc", "d"]],
    ["a letter outside ASCII", "é", "", "é"],
    ["half of a character", "\\ud83d", "", "\ud83d"],
  ])("is found for %s", (_, source, flags, expected) => {
    expect(needs(source, flags)).toEqual(expected);
  });

  it.each<[what: string, source: string, flags: string]>([
    ["nothing at all", "", ""],
    ["an optional letter", "a?", ""],
    ["a starred group", "(?:abc)*", ""],
    ["a repeat from zero", "(?:abc){0,3}", ""],
    ["a repeat of zero times", "a{0}", ""],
    ["classes", "[ab][^c]\\d\\w.", ""],
    ["an empty alternative", "(?:abc|)", ""],
    ["an alternative that is only an edge", "abc|^", ""],
    ["a look-ahead that must fail", "(?!abc)", ""],
    ["a look-behind that must fail", "(?<!abc)\\w", ""],
    ["a letter in both cases", "[aA][bB]", ""],
    ["letters with case folding of Unicode", "task", "iu"],
    ["letters with case folding of sets", "task", "iv"],
    ["letters whose case is ignored by the group", "(?i:abc)", ""],
    ["letters whose case is not ignored by the group", "(?-i:abc)", "i"],
    ["letters outside ASCII whose case is ignored", "éß", "i"],
    ["a back reference alone", "(?:(a)|b)?\\1", ""],
    ["a set of strings", "[\\q{abc}]", "v"],
    ["a property", "\\p{L}", "u"],
    ["too many alternatives", Array.from({ length: 17 }, (__, index) => `word${index}`).join("|"), ""],
  ])("is not claimed for %s", (_, source, flags) => {
    expect(needs(source, flags)).toBeUndefined();
  });

  it("is not claimed for what cannot be read", () => {
    expect(requiredText("(", "")).toBeUndefined();
    expect(requiredText("a{2,1}", "")).toBeUndefined();
    expect(requiredText("\\u{110000}", "u")).toBeUndefined();
  });

  it("keeps only the beginning of a very long text", () => {
    const long = "x".repeat(200);
    expect(needs(long)).toBe(long.slice(0, 64));
    expect(needs("(?:ab){100}")).toBe("ab");
  });

  // V8 (13.6) matches more here than the language says; what it matches is what a rule does.
  it("is not claimed where V8 forgets to look at the case again after (?i:...) under flag v", () => {
    const regexp = /(?i:x)[k]/v;
    expect(regexp.test("xK")).toBe(true);
    expect(mayMatch(requiredText(regexp.source, "v"), "xK")).toBe(true);
  });

  it("is never longer than three requirements", () => {
    expect(needs("aaaa.bbb.cc.d.e")).toEqual(["aaaa", "bbb", "cc"]);
  });
});

type Extract = (node: PatternNode, source: string, flags: string) => Requirement | undefined;

const real: Extract = (_, source, flags) => requiredText(source, flags);

interface Counted {
  pairs: number;
  matches: number;
  claimed: number;
  ruledOut: number;
}

const textsPerPattern = 8;

/** Whatever matches holds what was required. */
function law(extract: Extract, counted: Counted = { pairs: 0, matches: 0, claimed: 0, ruledOut: 0 }) {
  return fc.property(pattern, anyFlags, fc.nat(), (node, flags, seed) => {
    const regexp = compile(print(node), flags);
    if (regexp === undefined) return;
    const required = extract(node, regexp.source, flags);
    const random = randomFrom(seed);
    for (let count = 0; count < textsPerPattern; count++) {
      const text = count % 4 === 3 ? anyText(random, 12) : likelyText(node, flags.includes("i"), random);
      counted.pairs++;
      const may = mayMatch(required, text);
      if (!may) counted.ruledOut++;
      if (!regexp.test(text)) continue;
      counted.matches++;
      if (required !== undefined) counted.claimed++;
      if (!may) expect.fail(`${regexp} matches ${JSON.stringify(text)} without ${JSON.stringify(required)}`);
    }
  });
}

/** Some flags and patterns do not go together; those are somebody else's errors. */
function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** A mistake in reading, made by reading another pattern in its place. */
function misread(change: (node: PatternNode) => PatternNode): Extract {
  return (node, _, flags) => requiredText(print(node, change), flags);
}

const mutants: Record<string, Extract> = {
  "what is optional is required": misread((node) =>
    node.kind === "repeat" && node.min === 0 ? { ...node, source: "+" } : node,
  ),
  "only the first alternative counts": misread((node) =>
    node.kind === "either" ? (node.branches[0] as PatternNode) : node,
  ),
  "all alternatives must occur": misread((node) =>
    node.kind === "either" ? { kind: "row", parts: node.branches } : node,
  ),
  "a class is its first character": misread((node) =>
    node.kind === "set" ? { kind: "text", source: node.first, text: node.first } : node,
  ),
  "upper and lower case are the same to nobody": (_, source, flags) =>
    requiredText(source, flags.replace("i", "")),
  "case folds in ASCII only": (_, source, flags) => requiredText(source, flags.replace(/[uv]/, "")),
  "a group cannot change the case": misread((node) =>
    node.kind === "group" && node.open.includes("i") ? { ...node, open: "(?:" } : node,
  ),
  "what must not be seen must be seen": misread((node) =>
    node.kind === "look" ? { ...node, open: node.open.replace("!", "=") } : node,
  ),
  "what is seen is also read": misread((node) =>
    node.kind === "look" && node.open.endsWith("=") ? { kind: "group", open: "(?:", body: node.body } : node,
  ),
  "a repeat happens once": misread((node) =>
    node.kind === "repeat" && node.min > 0 ? { ...node, source: "{1}" } : node,
  ),
  "a reference is nothing": misread((node) =>
    node.kind === "reference" ? { kind: "text", source: "", text: "" } : node,
  ),
  "requirements are compared as they are": (_, source, flags) => {
    const required = requiredText(source, flags);
    return required && { ...required, foldsCase: false };
  },
};

describe("a text that a generated pattern matches", () => {
  it("holds what is required, in more than 20,000 pairs", () => {
    const counted: Counted = { pairs: 0, matches: 0, claimed: 0, ruledOut: 0 };
    fc.assert(law(real, counted), { numRuns: 5_000 });
    // The generator really reaches what it is meant to reach.
    expect(counted.pairs).toBeGreaterThan(20_000);
    expect(counted.matches).toBeGreaterThan(counted.pairs / 5);
    expect(counted.claimed).toBeGreaterThan(counted.pairs / 20);
    expect(counted.ruledOut).toBeGreaterThan(counted.pairs / 20);
  });

  for (const [mistake, mutant] of Object.entries(mutants)) {
    it(`shows the mistake "${mistake}"`, () => {
      expect(fc.check(law(mutant), { numRuns: 20_000, endOnFailure: true }).failed).toBe(true);
    });
  }
});
