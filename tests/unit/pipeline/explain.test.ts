import { describe, expect, it } from "vitest";
import { codeOf, paperGate, tool } from "../paper-gate.ts";

const deciding = ["resolve", "route", "validate", "before-hooks", "permit", "limit", "approve"];
const source = { file: "rules.yaml", line: 12 };

describe("explaining a call", () => {
  it("gives a finding for every deciding stage, in order", async () => {
    const plain = await paperGate({ tools: [tool()] });
    expect((await plain.gate.explain({ tool: "x.run" })).walk.map(({ stage }) => stage)).toEqual(deciding);
    const ruled = await paperGate({
      tools: [tool()],
      routes: [{ name: "r", tool: "*", field: "q", pattern: "x", message: "No." }],
      hooks: [{ name: "h", type: "PreToolUse", run: () => {} }],
      limits: [{ name: "l", max: 1, windowMs: 1 }],
      policies: [{ name: "p", tools: "*", action: "ask" }],
    });
    const { walk } = await ruled.gate.explain({ tool: "x_run" });
    expect(walk.map(({ stage }) => stage)).toEqual(deciding);
    expect(walk.map(({ finding }) => finding)).toEqual([
      expect.stringContaining('"x_run" is x.run'),
      "none of 1 routes stops it",
      "the input fits the schema",
      "1 hook passed (h)",
      expect.stringContaining("ask: "),
      "within 1 limit",
      expect.stringContaining("nobody can be asked"),
    ]);
  });

  it.each([
    ["route", { routes: [{ name: "rule", tool: "*", field: "q", pattern: "x", message: "No.", source }] }],
    [
      "before-hooks",
      { hooks: [{ name: "rule", type: "PreToolUse" as const, run: () => ({ cancel: true }), source }] },
    ],
    ["permit", { policies: [{ name: "rule", tools: "*", action: "deny" as const, source }] }],
    ["limit", { limits: [{ name: "rule", max: 0, windowMs: 1, source }] }],
    ["approve", { policies: [{ name: "rule", tools: "*", action: "ask" as const, source }] }],
  ])("names stage %s, the rule and where it is written", async (stage, rules) => {
    const { gate } = await paperGate({ tools: [tool()], ...rules });
    const explanation = await gate.explain({ tool: "x.run", input: { q: "x" } });
    expect(explanation).toMatchObject({
      verdict: stage === "approve" ? "ask" : "deny",
      stage,
      tool: "x.run",
      rule: { name: "rule" },
      source: "rules.yaml:12",
    });
    expect(explanation.walk.at(-1)?.stage).toBe(stage);
    expect(explanation.walk.some(({ rule }) => rule?.name === "rule")).toBe(true);
  });

  it("ends with the code, message and hint that dispatch would give", async () => {
    const { gate } = await paperGate({
      tools: [
        tool({ input: { type: "object", required: ["n"] } }),
        tool({ id: "off.run", category: "shell" }),
      ],
    });
    for (const request of [
      { tool: "x.run" },
      { tool: "x.rum" },
      { tool: "off.run" },
      { tool: "x.run", input: { n: 1n } },
      { tool: "off.run", mode: "plan" as const },
    ]) {
      const { verdict, code, message, hint } = await gate.explain(request);
      const outcome = await gate.dispatch(request);
      expect([verdict, code, message, hint]).toEqual([
        "deny",
        codeOf(outcome),
        ...(outcome.ok ? [] : [outcome.error.message, outcome.error.hint]),
      ]);
    }
  });

  it("shows rewrites by routes and hooks", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      routes: [{ name: "r", tool: "*", field: "q", pattern: "^a$", action: "rewrite", rewrite: { q: "b" } }],
      hooks: [{ name: "h", type: "PreToolUse", run: () => ({ modifiedParams: { q: "c" } }) }],
    });
    const text = JSON.stringify((await gate.explain({ tool: "x.run", input: { q: "a" } })).walk);
    expect(text).toContain('rewritten to {\\"q\\":\\"b\\"}');
    expect(text).toContain('{\\"q\\":\\"c\\"}');
  });

  it("runs, asks, counts and records nothing", async () => {
    const seen: string[] = [];
    const { gate, ledger, approver } = await paperGate({
      tools: [tool({ permission: "write", run: () => void seen.push("ran") })],
      answers: ["approve"],
      limits: [{ name: "l", max: 1, windowMs: 1_000 }],
    });
    for (const name of ["call-start", "call-end", "approval-request"] as const)
      gate.events.on(name, () => seen.push(name));
    for (let index = 0; index < 5; index++)
      expect((await gate.explain({ tool: "x.run" })).verdict).toBe("ask");
    expect([seen, ledger.records(), ledger.intents(), approver.asked]).toEqual([[], [], [], []]);
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("ran");
    expect((await gate.explain({ tool: "x.run" })).code).toBe("rate_limited");
  });

  it("says by whom a grant was given", async () => {
    const { gate } = await paperGate({
      tools: [tool({ permission: "write" })],
      answers: [{ decision: "approve", scope: "user" }],
    });
    await gate.dispatch({ tool: "x.run" });
    const { verdict, walk } = await gate.explain({ tool: "x.run" });
    expect([verdict, walk.at(-1)?.finding]).toEqual(["allow", "granted by scripted-approver (user)"]);
  });

  it("explains a check as a check", async () => {
    const { gate } = await paperGate();
    expect(await gate.explain({ tool: "Bash", input: { command: "ls" } }, { as: "check" })).toMatchObject({
      verdict: "abstain",
      tool: "shell.exec",
    });
    expect((await gate.explain({ tool: "Bash", input: { command: "ls" } })).code).toBe("unknown_tool");
  });

  it("tells the end of a walk also where an earlier finding holds the same words", async () => {
    const why = 'Hook "two" gave parameters that cannot be taken: they are not an object';
    const { gate } = await paperGate({
      tools: [tool()],
      hooks: [
        { name: "one", type: "PreToolUse", run: () => ({ ask: true, errorMessage: why }) },
        { name: "two", type: "PreToolUse", run: () => ({ modifiedParams: 5 }) },
      ],
    });
    const { walk } = await gate.explain({ tool: "x.run" });
    expect(walk.slice(-2).map(({ finding }) => finding)).toEqual([`asks: ${why}`, why]);
  });
});
