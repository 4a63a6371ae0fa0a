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

// V8 (13.6) matches more here than the language says; what it matches is what a rule does.
it("a required text is not claimed where V8 forgets to look at the case again after (?i:...) under flag v", () => {
  const regexp = /(?i:x)[k]/v;
  expect(regexp.test("xK")).toBe(true);
  expect(mayMatch(requiredText(regexp.source, "v"), "xK")).toBe(true);
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
