import { describe, expect, it } from "vitest";
import { createGate, type Ledger } from "../../../../src/index.ts";
import { codeOf, locateOnPaper, paperGate, throws, tool } from "../../paper-gate.ts";

const write = tool({ id: "w.run", permission: "write" });
const approve = [{ name: "yes", tools: "*", action: "approve" as const }];

describe("the record of a call", () => {
  it("is one per call, refused ones too, each saying what happened", async () => {
    const failing = tool({ id: "y.run", run: throws(new Error("boom")) });
    const { gate, ledger } = await paperGate({
      tools: [tool({ input: { type: "object", properties: { n: { type: "number" } } } }), failing, write],
    });
    await gate.dispatch({
      tool: "x_run",
      sessionId: "s",
      toolUseId: "u",
      surface: "mcp",
      caller: { id: "agent", capabilities: [] },
    });
    await gate.dispatch({ tool: "y.run" });
    await gate.dispatch({ tool: "x.run", input: { n: "1" } });
    await gate.dispatch({ tool: "no.such" });
    await gate.dispatch({ tool: "w.run" });
    await gate.dispatch({ tool: 7 as never });
    expect(ledger.records()).toMatchObject([
      {
        callId: "call-1",
        askedFor: "x_run",
        tool: "x.run",
        kind: "call",
        surface: "mcp",
        sessionId: "s",
        toolUseId: "u",
        caller: "agent",
        verdict: "allow",
        ok: true,
        code: undefined,
        result: "done",
        rule: { name: "read-inside-workspace" },
      },
      { tool: "y.run", verdict: "allow", ok: false, code: "tool_failed", stage: "run" },
      {
        tool: "x.run",
        verdict: "deny",
        ok: false,
        code: "invalid_input",
        stage: "validate",
        input: { n: "1" },
      },
      { askedFor: "no.such", verdict: "deny", code: "unknown_tool", stage: "resolve" },
      { tool: "w.run", verdict: "deny", code: "no_approver", stage: "approve" },
      { verdict: "deny", code: "bad_call" },
    ]);
    expect(new Set(ledger.records().map(({ callId }) => callId)).size).toBe(6);
  });

  it("names the rule and the person that let it through", async () => {
    const { gate, ledger } = await paperGate({
      tools: [write],
      answers: [{ decision: "approve", scope: "user" }],
      policies: [{ name: "ask", tools: "*", action: "ask" }],
    });
    await gate.dispatch({ tool: "w.run" });
    await gate.dispatch({ tool: "w.run" });
    expect(ledger.records()).toMatchObject([
      { rule: { kind: "policy", name: "ask" }, approval: { kind: "approval", by: "scripted-approver" } },
      { rule: { kind: "policy", name: "ask" }, approval: { kind: "grant", by: "scripted-approver" } },
    ]);
  });

  it("keeps the start of a long result only", async () => {
    const { gate, ledger } = await paperGate({ tools: [tool({ run: () => "x".repeat(10_000) })] });
    await gate.dispatch({ tool: "x.run" });
    expect(ledger.records()[0]?.result?.length).toBeLessThanOrEqual(500);
  });

  it("is written for checks, with what the agent was told", async () => {
    const { gate, ledger } = await paperGate({ policies: [{ name: "no", tools: "Bash", action: "deny" }] });
    await gate.check({ tool: "bash", input: { command: "ls" } });
    await gate.check({ tool: "Read", input: { path: "a" } });
    expect(ledger.records()).toMatchObject([
      { kind: "check", askedFor: "bash", tool: "shell.exec", verdict: "deny", code: "policy_denied" },
      { kind: "check", tool: "fs.read", verdict: "abstain", ok: true },
    ]);
  });
});

describe("the intent", () => {
  const order: string[] = [];
  const ledger = (more: Partial<Ledger> = {}): Ledger => ({
    open: ({ tool: id }) => void order.push(`open ${id}`),
    close: ({ tool: id }) => void order.push(`close ${id}`),
    ...more,
  });
  const logging = (parts: object) => tool({ ...parts, run: () => void order.push("run") });
  const gateWith = (port: Ledger, permission: "read" | "write" | "execute" = "write") =>
    createGate({
      tools: [logging({ permission })],
      policies: approve,
      ledger: port,
      roots: ["/workspace"],
      locatePath: locateOnPaper,
    });

  it("is kept before a tool that writes or executes starts, and not for one that reads", async () => {
    order.length = 0;
    for (const permission of ["write", "execute", "read"] as const)
      await (await gateWith(ledger(), permission)).dispatch({ tool: "x.run" });
    expect(order).toEqual([
      "open x.run",
      "run",
      "close x.run",
      "open x.run",
      "run",
      "close x.run",
      "run",
      "close x.run",
    ]);
  });

  it("is waited for", async () => {
    order.length = 0;
    const slow = ledger({
      open: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push("kept");
      },
    });
    await (await gateWith(slow)).dispatch({ tool: "x.run" });
    expect(order).toEqual(["kept", "run", "close x.run"]);
  });

  it.each([
    ["throws", throws(new Error("disk full"))],
    ["rejects", () => Promise.reject(new Error("disk full"))],
  ])("that %s stops the call before it runs", async (_, open) => {
    order.length = 0;
    const outcome = await (await gateWith(ledger({ open }))).dispatch({ tool: "x.run" });
    expect([codeOf(outcome), order]).toEqual(["ledger_failed", ["close x.run"]]);
  });

  it("is not opened for a call that was refused", async () => {
    order.length = 0;
    const gate = await createGate({ tools: [logging({ permission: "write" })], ledger: ledger() });
    await gate.dispatch({ tool: "x.run" });
    expect(order).toEqual(["close x.run"]);
  });
});

it.each([
  ["throws", throws(new Error("disk full"))],
  ["rejects", () => Promise.reject(new Error("disk full"))],
])("a record that cannot be written because it %s withholds the result", async (_, close) => {
  const gate = await createGate({
    tools: [tool({ run: () => "secret" })],
    ledger: { open: () => {}, close },
  });
  const outcome = await gate.dispatch({ tool: "x.run" });
  expect(codeOf(outcome)).toBe("ledger_failed");
  expect(JSON.stringify(outcome)).not.toContain("secret");
  expect(codeOf(await gate.dispatch({ tool: "no.such" }))).toBe("ledger_failed");
  expect((await gate.check({ tool: "Read" })).verdict).toBe("deny");
});
