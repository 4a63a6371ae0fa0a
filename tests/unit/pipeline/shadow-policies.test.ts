import { describe, expect, it } from "vitest";
import type { Policy } from "../../../src/rules/policies.ts";
import { compileRules } from "../../../src/rules/rule-set.ts";
import { compilePattern } from "../../../src/safe/regex/safe-regex.ts";
import { codeOf, paperGate, shell, tool } from "../paper-gate.ts";

const gitYes: Policy = {
  name: "git-status",
  tools: "shell.exec",
  action: "approve",
  conditions: [
    { type: "command", operator: "startsWith", value: "git status" },
    { type: "risk", operator: "lessThan", value: "opaque" },
  ],
  mode: "shadow",
};

const policies = (...more: Policy[]) => ({ tools: [shell, tool({ permission: "write" })], policies: more });
const git = (command = "git status") => ({ tool: "shell.exec", input: { command } });

describe("a policy in shadow mode", () => {
  it("approves nothing, and the record says what it would have come to", async () => {
    const { gate, ledger } = await paperGate(policies(gitYes));
    expect(codeOf(await gate.dispatch(git()))).toBe("no_approver");
    expect(ledger.records()[0]).toMatchObject({
      verdict: "deny",
      shadow: [{ rule: "git-status", verdict: "allow", wording: expect.stringMatching(/^[0-9a-f]+$/) }],
    });
  });

  it("denies and asks nothing either", async () => {
    const deny: Policy = { name: "no", tools: "*", action: "deny", mode: "shadow" };
    const ask: Policy = { name: "hm", tools: "*", action: "ask", mode: "shadow" };
    const yes: Policy = { name: "yes", tools: "*", action: "approve" };
    const { gate, ledger } = await paperGate(policies(yes, deny, ask));
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: {} }))).toBe("ran");
    expect(ledger.records()[0]?.shadow).toMatchObject([
      { rule: "no", verdict: "deny" },
      { rule: "hm", verdict: "ask" },
    ]);
  });

  it("is judged among the rules in force: a deny of the same priority wins over it", async () => {
    const deny: Policy = { name: "no-git", tools: "shell.exec", action: "deny" };
    const { gate, ledger } = await paperGate(policies(deny, gitYes));
    expect(codeOf(await gate.dispatch(git()))).toBe("policy_denied");
    expect(ledger.records()[0]?.shadow).toBeUndefined();
    const strong = await paperGate(policies(deny, { ...gitYes, priority: 5 }));
    expect(codeOf(await strong.gate.dispatch(git()))).toBe("policy_denied");
    expect(strong.ledger.records()[0]?.shadow).toMatchObject([{ verdict: "allow" }]);
  });

  it("does not count for another one: each is judged as if it alone were in force", async () => {
    const other: Policy = {
      ...gitYes,
      name: "ls",
      conditions: [{ type: "command", operator: "equals", value: "node a" }],
    };
    const { gate, ledger } = await paperGate(policies(gitYes, other));
    await gate.dispatch(git("git status && node a"));
    expect(ledger.records()[0]?.shadow).toBeUndefined();
    await gate.dispatch(git("git status && ls"));
    expect(ledger.records()[1]?.shadow).toMatchObject([{ rule: "git-status", verdict: "allow" }]);
  });

  it("leaves no trace in the record of a call that it does not concern", async () => {
    const { gate, ledger } = await paperGate(policies(gitYes));
    await gate.dispatch(git("git push"));
    await gate.dispatch({ tool: "x.run", input: {} });
    for (const record of ledger.records()) expect("shadow" in record).toBe(false);
  });

  it.each(["act", "plan"] as const)("has its say in the modes that it names: %s", async (mode) => {
    const { gate, ledger } = await paperGate(policies({ ...gitYes, modes: ["act"] }));
    await gate.dispatch({ ...git(), mode });
    expect(ledger.records()[0]?.shadow?.length).toBe(mode === "act" ? 1 : undefined);
  });

  it("does not hide a tool from models, nor show one", async () => {
    const hides: Policy = { name: "no", tools: "x.run", action: "deny", mode: "shadow" };
    const { gate } = await paperGate({ tools: [tool()], policies: [hides] });
    expect(gate.definitions("mcp").map(({ name }) => name)).toContain("x_run");
  });

  it("changes no verdict of check and explain, and explain tells of it", async () => {
    const shadowed = await paperGate(policies(gitYes));
    const plain = await paperGate(policies());
    for (const as of ["check", "call"] as const) {
      const one = await shadowed.gate.explain(git(), { as });
      const other = await plain.gate.explain(git(), { as });
      expect({ ...one, walk: [] }).toEqual({ ...other, walk: [] });
      expect(one.walk.map(({ finding }) => finding)).toContain(
        'shadow: with policy "git-status" in force it would be approve',
      );
    }
    const { callId: _, ...checked } = await shadowed.gate.check(git());
    const { callId: __, ...expected } = await plain.gate.check(git());
    expect(checked).toEqual(expected);
    expect(shadowed.ledger.records()[0]?.shadow).toMatchObject([{ verdict: "allow" }]);
  });

  it("keeps what it said when the question came up, also when the person edits the call", async () => {
    const { gate, ledger } = await paperGate({
      ...policies(gitYes),
      approver: { name: "ann", ask: () => ({ decision: "approve", input: { command: "git push" } }) },
    });
    expect(codeOf(await gate.dispatch(git()))).toBe("ran");
    expect(ledger.records()[0]).toMatchObject({
      input: { command: "git push" },
      shadow: [{ rule: "git-status", verdict: "allow" }],
    });
  });

  it("cannot be anything but enforce or shadow", async () => {
    const wrong = { ...gitYes, mode: "watch" } as unknown as Policy;
    await expect(paperGate(policies(wrong))).rejects.toThrow(/mode/);
    const { gate } = await paperGate({ ...policies({ ...gitYes, mode: "enforce" }) });
    expect(codeOf(await gate.dispatch(git()))).toBe("ran");
  });
});

it("tells wordings of one policy apart, and not places, reasons and tests", () => {
  const wordings = [
    gitYes,
    { ...gitYes, reason: "Reads only.", tests: [], source: { file: "a.yaml", line: 3 } },
    { ...gitYes, priority: 1 },
    { ...gitYes, tools: "*" },
  ].map((policy) => {
    const compiled = compileRules({ policies: [policy] }, 1, compilePattern);
    return compiled.ok ? compiled.rules.policies[0]?.shadow : undefined;
  });
  expect(wordings[0]).toBe(wordings[1]);
  expect(new Set(wordings).size).toBe(3);
});
