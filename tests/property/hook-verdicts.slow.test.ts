/** The hook and the gate hold the same rules in different forms; here they are asked the same questions. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeRules } from "../../src/config/rule-cache/encode-rules.ts";
import { openRuleCache, type RuleCache, ruleCacheOf } from "../../src/config/rule-cache/read-cache.ts";
import { sealBytes } from "../../src/config/rule-cache/seal.ts";
import { writeRuleCache } from "../../src/config/rule-cache/write-cache.ts";
import type { Ledger } from "../../src/core/ports/ports.ts";
import { createChecker } from "../../src/gate/create-checker.ts";
import { type CallRequest, type CheckResult, createGate, type Gate, type Rules } from "../../src/index.ts";
import { compileConfigured } from "../../src/open/compile-config.ts";
import type { RuleSet } from "../../src/rules/rule-set.ts";
import { compilePattern } from "../../src/safe/regex/safe-regex.ts";
import { createMemoryTasks } from "../../src/stores/memory/memory-tasks.ts";
import { call, checkDefault, policies, routes } from "./hook-rules.ts";

let base = "";
let workspace = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-verdicts-")));
  workspace = join(base, "work");
  mkdirSync(join(workspace, "src"), { recursive: true });
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(workspace, "src/a.txt"), "a");
  writeFileSync(join(workspace, ".env"), "A=1");
  writeFileSync(join(base, "outside.txt"), "o");
  symlinkSync(join(base, "elsewhere"), join(workspace, "out"));
  symlinkSync(join(workspace, "src"), join(workspace, "link"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Asked {
  readonly rules: Rules & { readonly checkDefault: "abstain" | "ask" | "deny" };
  readonly calls: readonly CallRequest[];
}

const callsPerSet = 60;
const asked: fc.Arbitrary<Asked> = fc
  .record({
    routes,
    policies,
    checkDefault: checkDefault as fc.Arbitrary<"abstain" | "ask" | "deny">,
    calls: fc.array(call, { minLength: callsPerSet, maxLength: callsPerSet }),
  })
  .map(({ calls, ...rules }) => ({ calls, rules }));

const key = "the key";
const silent: Ledger = { open: () => {}, close: () => {} };

/** What the hook does when rules changed: everything compiled, put into bytes. `spoil` is somebody's mistake. */
async function bytesOf(
  { checkDefault: otherwise, ...rules }: Asked["rules"],
  spoil: (rules: RuleSet) => RuleSet,
): Promise<Buffer> {
  const compiled = await compileConfigured(rules);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join("\n"));
  const facts = {
    key,
    settled: true,
    inputs: [],
    variables: [],
    projectDir: workspace,
    checkDefault: otherwise,
  };
  return encodeRules(facts, spoil(compiled.rules), (source) => {
    const read = compilePattern(source);
    if (!read.ok) throw new Error(read.message);
    const { pattern } = read;
    const written = { source, flags: undefined };
    return { written, source: pattern.source, flags: pattern.flags, linear: pattern.linear };
  });
}

/** What the hook does with a call: a process lives for one, so the rules are read again each time. */
async function askHook(open: () => RuleCache | undefined, request: CallRequest): Promise<CheckResult> {
  const cache = open();
  if (cache === undefined) throw new Error("the rules that were just written cannot be read");
  try {
    const checker = createChecker({
      rules: cache.rules,
      checkDefault: cache.checkDefault,
      root: cache.projectDir,
      ledger: silent,
      tasks: createMemoryTasks(),
    });
    return await checker.check(request);
  } finally {
    cache.close();
  }
}

function told({ verdict, tool, stage, rule, message, hint, error, input, contexts }: CheckResult): unknown {
  return { verdict, tool, stage, rule, message, hint, code: error?.code, input, contexts };
}

interface Reached {
  calls: number;
  rewritten: number;
  readonly ends: Set<string>;
}

function nothingReached(): Reached {
  return { calls: 0, rewritten: 0, ends: new Set() };
}

/** A pattern that needs a budget may run out of it on a busy machine, on either side: asked again, it answers. */
const attempts = 4;

async function sameVerdict(gate: Gate, open: () => RuleCache | undefined, request: CallRequest) {
  let fromGate = await gate.check(request, { wait: false });
  let fromHook = await askHook(open, request);
  for (let attempt = 1; attempt < attempts && !isSame(told(fromHook), told(fromGate)); attempt++) {
    fromGate = await gate.check(request, { wait: false });
    fromHook = await askHook(open, request);
  }
  expect(told(fromHook), JSON.stringify(request)).toEqual(told(fromGate));
  return fromGate;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function law(reached: Reached = nothingReached(), spoil: (rules: RuleSet) => RuleSet = (rules) => rules) {
  return fc.asyncProperty(asked, async ({ rules, calls }) => {
    const gate = await createGate({ ...rules, roots: [workspace] });
    const bytes = await bytesOf(rules, spoil);
    const file = join(base, "cache", "one.rules");
    const seal = Buffer.alloc(16, 1);
    expect(writeRuleCache(file, sealBytes(bytes, seal, Buffer.alloc(8)))).toBeUndefined();
    for (const [index, { cwd = ".", ...rest }] of calls.entries()) {
      const request = { ...rest, cwd: join(workspace, cwd) };
      const open = () => (index % 2 === 0 ? openRuleCache(file, key, seal) : ruleCacheOf(bytes, key));
      const { verdict, error, rule, input } = await sameVerdict(gate, open, request);
      reached.calls++;
      if (input !== undefined) reached.rewritten++;
      reached.ends.add(`${verdict} ${error?.code ?? rule?.kind ?? "nobody"}`);
    }
  });
}

/** Realistic mistakes in what is written. */
const mistakes: Record<string, (rules: RuleSet) => RuleSet> = {
  // Half of them: the last one alone is often one that no call would reach.
  "routes are missing": ({ routes, ...rules }) => ({
    ...rules,
    routes: routes.slice(0, Math.floor(routes.length / 2)),
  }),
  "routes lose their order": (rules) => ({ ...rules, routes: rules.routes.toReversed() }),
  "a policy is missing": (rules) => ({ ...rules, policies: rules.policies.slice(1) }),
  "an allow ends every tier": (rules) => ({
    ...rules,
    routes: rules.routes.map((one) => ({ ...one, tierOrder: 0 })),
  }),
  "the case of required texts is not folded": (rules) => ({
    ...rules,
    routes: rules.routes.map((one) => ({ ...one, foldsCase: false })),
  }),
  "a field is looked up in the usual places": (rules) => ({
    ...rules,
    routes: rules.routes.map((one) => ({ ...one, field: undefined })),
  }),
  "patterns lose their flags": (rules) => ({
    ...rules,
    routes: rules.routes.map(({ pattern, ...one }) => ({
      ...one,
      pattern: { ...pattern, source: pattern.source, linear: pattern.linear, flags: "" } as typeof pattern,
    })),
  }),
};

describe("the hook", () => {
  it("gives the verdict that the gate gives, for thousands of calls", { timeout: 300_000 }, async () => {
    const reached = nothingReached();
    await fc.assert(law(reached), { numRuns: 60 });
    expect(reached.calls).toBeGreaterThanOrEqual(3_000);
    // The generator really reaches the ends it is meant to reach.
    expect(reached.rewritten).toBeGreaterThan(5);
    expect([...reached.ends]).toEqual(
      expect.arrayContaining([
        "abstain nobody",
        "allow policy",
        "ask policy",
        "ask default",
        "deny route_blocked",
        "deny policy_denied",
        "deny rewrite_loop",
        "deny plan_mode",
        "deny bad_call",
        "deny unknown_tool",
      ]),
    );
  });

  for (const [mistake, spoil] of Object.entries(mistakes)) {
    it(`would be seen to differ if ${mistake}`, { timeout: 300_000 }, async () => {
      const { failed } = await fc.check(law(nothingReached(), spoil), { numRuns: 300, endOnFailure: true });
      expect(failed).toBe(true);
    });
  }
});
