import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { decide } from "../../src/rules/decide.ts";
import { type CompiledPolicy, compilePolicies } from "../../src/rules/policies.ts";
import { tiers } from "../../src/rules/tiers.ts";
import { compilePattern } from "../../src/safe/regex/safe-regex.ts";

/** Decides over policies without conditions, which is where order, priority and trust show. */
type Decide = (policies: readonly Policy[]) => "approve" | "ask" | "deny";

const strictness = { approve: 0, ask: 1, deny: 2 } as const;

const real: Decide = (policies) => {
  const compiled: CompiledPolicy[] = compilePolicies(policies, compilePattern, []);
  const view = {
    args: {},
    caller: { id: "local", capabilities: ["*"] },
    root: "/w",
    folder: "/w",
    home: undefined,
    now: 0,
    asksForMore: () => false,
    isProtected: () => false,
    realPath: (path: string) => path,
    content: () => [],
    sizeBytes: () => 0,
    patternsExhausted: false,
  };
  const by = { policies: compiled, view, mode: "act", otherwise: "gate" } as const;
  return decide([{ risk: "write", network: false, label: "" }], by).verdict as "ask";
};

/** Realistic mistakes, each made by some tool in use. */
const mutants: Record<string, Decide> = {
  "the last rule wins": (policies) => policies.at(-1)?.action ?? "ask",
  "the first rule wins": (policies) => policies[0]?.action ?? "ask",
  "any approve is enough": (policies) =>
    policies.some(({ action }) => action === "approve") ? "approve" : (policies[0]?.action ?? "ask"),
  "priority decides across tiers": (policies) =>
    [...policies].sort(
      (a, b) => (b.priority ?? 0) - (a.priority ?? 0) || strictness[b.action] - strictness[a.action],
    )[0]?.action ?? "ask",
  "at equal priority the order decides": (policies) => {
    const trusted = [...policies].sort(
      (a, b) =>
        tiers.indexOf(b.tier ?? "user") - tiers.indexOf(a.tier ?? "user") ||
        (b.priority ?? 0) - (a.priority ?? 0),
    );
    return trusted[0]?.action ?? "ask";
  },
  "a plugin may lift the default": (policies) =>
    policies.length === 1 && policies[0]?.tier === "plugin" ? policies[0].action : real(policies),
};

const policy = fc.record({
  name: fc.uuid(),
  tools: fc.constant("*"),
  action: fc.constantFrom("approve" as const, "ask" as const, "deny" as const),
  priority: fc.integer({ min: 0, max: 2 }),
  tier: fc.constantFrom(...tiers),
});
const list = fc.uniqueArray(policy, { selector: ({ name }) => name, maxLength: 4 });

function laws(candidate: Decide) {
  return fc.property(list, policy, fc.nat(4), (before, added, at) => {
    const after = [...before.slice(0, at), added, ...before.slice(at)];
    const [first, second] = [strictness[candidate(before)], strictness[candidate(after)]];
    if (added.action === "deny") expect(second).toBeGreaterThanOrEqual(first);
    // A less trusted rule only narrows what more trusted ones decided.
    const moreTrusted = before.filter(({ tier }) => tiers.indexOf(tier) > tiers.indexOf(added.tier));
    if (moreTrusted.length > 0 && moreTrusted.length === before.length)
      expect(second).toBeGreaterThanOrEqual(first);
    // The order in which rules are written means nothing.
    expect(candidate([...after].reverse())).toBe(candidate(after));
    if (before.length === 0 && added.tier === "plugin") expect(second).toBeGreaterThanOrEqual(strictness.ask);
  });
}

describe("the laws of deciding", () => {
  it("hold for the real decision", () => {
    fc.assert(laws(real), { numRuns: 3_000 });
  });

  for (const [mistake, mutant] of Object.entries(mutants)) {
    it(`catch the mistake "${mistake}"`, () => {
      expect(fc.check(laws(mutant), { numRuns: 3_000 }).failed).toBe(true);
    });
  }
});
