import { describe, expect, it } from "vitest";
import { defineTool } from "../../../src/core/tool/tool.ts";
import { createScriptedApprover } from "../../../src/testing/scripted-approver.ts";
import { createTestGate } from "../../../src/testing/test-gate.ts";
import { write } from "../../tools.ts";

const call = { tool: "notes.write", input: { path: "a" } };

describe("a call that brings its own approver", () => {
  it("is asked about there, and not at the gate's own", async () => {
    const { gate, approver } = await createTestGate({ tools: [write], answers: ["deny"] });
    const own = createScriptedApprover(["approve"], "client:x");
    const outcome = await gate.dispatch({ ...call, approver: own });
    expect(outcome).toMatchObject({ ok: true, approval: { by: "client:x" } });
    expect(own.asked).toHaveLength(1);
    expect(approver.asked).toHaveLength(0);
    expect(await gate.dispatch(call)).toMatchObject({ ok: false, error: { code: "approval_denied" } });
  });

  it("can be approved where otherwise nobody could be asked; the next one cannot", async () => {
    const { gate } = await createTestGate({ tools: [write] });
    const own = createScriptedApprover(["approve"], "client:x");
    expect((await gate.dispatch({ ...call, approver: own })).ok).toBe(true);
    expect(await gate.dispatch(call)).toMatchObject({ ok: false, error: { code: "no_approver" } });
  });

  it("cannot be approved by whoever makes it", async () => {
    const { gate } = await createTestGate({ tools: [write] });
    const own = createScriptedApprover(["approve"], "agent");
    const outcome = await gate.dispatch({
      ...call,
      caller: { id: "agent", capabilities: ["*"] },
      approver: own,
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: "approval_denied" } });
  });

  it("is explained as one that asks", async () => {
    const { gate } = await createTestGate({ tools: [write] });
    const own = createScriptedApprover(["approve"], "client:x");
    const { verdict, walk } = await gate.explain({ ...call, approver: own });
    expect(verdict).toBe("ask");
    expect(walk.at(-1)?.finding).not.toContain("nobody can be asked");
    expect(own.asked).toHaveLength(0);
  });
});

it("a tool's code finds the way to the person at the client in its context, if the call has one", async () => {
  const ask = defineTool({
    id: "ask.it",
    description: "Asks.",
    permission: "read",
    input: { type: "object", additionalProperties: false },
    run: async (_input, { elicit, signal }) =>
      elicit === undefined
        ? "nobody"
        : (await elicit({ from: "it", params: { message: "?" } }, { signal })).action,
  });
  const { gate } = await createTestGate({ tools: [ask] });
  const elicit = async () => ({ action: "decline" as const });
  expect((await gate.dispatch({ tool: "ask.it", elicit })).result.content).toEqual([
    { type: "text", text: "decline" },
  ]);
  expect((await gate.dispatch({ tool: "ask.it" })).result.content).toEqual([
    { type: "text", text: "nobody" },
  ]);
});
