import { describe, expect, it } from "vitest";
import { Plans } from "../../../src/pipeline/plans.ts";
import { type BoundRules, compileRules, type Rules } from "../../../src/rules/rule-set.ts";
import { compilePattern } from "../../../src/safe/regex/safe-regex.ts";
import { codeOf, paperGate, settle, tool } from "../paper-gate.ts";

const deny: BoundRules = { policies: [{ name: "no", tools: "*", action: "deny" }] };

describe("new rules", () => {
  it("hold from the next call on, while a call in flight ends by the old ones", async () => {
    const held = Promise.withResolvers<void>();
    const hooks = [{ name: "slow", type: "PreToolUse" as const, run: () => held.promise }];
    const { gate } = await paperGate({ tools: [tool()], hooks });
    const seen: number[] = [];
    gate.events.on("rules-change", ({ version }) => seen.push(version));
    const call = gate.dispatch({ tool: "x.run" });
    await settle();
    expect(await gate.setRules(deny)).toBe(2);
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("policy_denied");
    held.resolve();
    expect(codeOf(await call)).toBe("ran");
    expect([seen, gate.rulesVersion]).toEqual([[2], 2]);
  });

  it("replace all the old ones at once", async () => {
    const { gate } = await paperGate({ tools: [tool()], limits: [{ name: "l", max: 0, windowMs: 1 }] });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("rate_limited");
    await gate.setRules({});
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("ran");
  });

  it("that cannot be used change nothing, and every problem is told", async () => {
    const { gate } = await paperGate({ tools: [tool()], ...deny });
    const bad: Rules = {
      policies: [{ name: "p", tools: "*", action: "let" as never }],
      limits: [{ name: "l" }],
      hooks: [{ name: "h", type: "Never" as never, run: () => {} }],
    };
    const told = await gate.setRules(bad).then(String, String);
    for (const rule of ['policy "p"', 'limit "l"', 'hook "h"']) expect(told).toContain(rule);
    expect([codeOf(await gate.dispatch({ tool: "x.run" })), gate.rulesVersion]).toEqual(["policy_denied", 1]);
  });
});

describe("changed tools", () => {
  it("let a call in flight end on the old definition", async () => {
    const held = Promise.withResolvers<string>();
    const { gate } = await paperGate({ tools: [tool({ run: () => held.promise })] });
    const call = gate.dispatch({ tool: "x.run" });
    await settle();
    gate.tools.replace(tool({ run: () => "new" }));
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ value: "new" });
    gate.tools.unregister("x.run");
    held.resolve("old");
    expect(await call).toMatchObject({ ok: true, value: "old" });
  });

  it("change which tool a rule's name means", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      policies: [{ name: "no", tools: "nickname", action: "deny" }],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("ran");
    gate.tools.alias("nickname", "x.run");
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("policy_denied");
  });
});

it("a plan is remembered for a thousand foreign names and no more", () => {
  const compiled = compileRules(deny, 1, compilePattern);
  if (!compiled.ok) throw new Error("bad rules");
  const plans = new Plans(() => ({ get: () => undefined }), compiled.rules);
  const first = plans.ofForeign("tool-0");
  expect(plans.ofForeign("tool-0")).toBe(first);
  for (let index = 1; index <= 1_000; index++) plans.ofForeign(`tool-${index}`);
  expect(plans.ofForeign("tool-0")).not.toBe(first);
});
