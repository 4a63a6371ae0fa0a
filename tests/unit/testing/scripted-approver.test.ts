import { describe, expect, it } from "vitest";
import { createScriptedApprover } from "../../../src/testing/index.ts";
import { codeOf, paperGate, settle, tool } from "../paper-gate.ts";

const write = tool({ permission: "write", roles: {}, run: (args: unknown) => args });

describe("a scripted approver", () => {
  it("answers in order, and the last answer again and again", async () => {
    const { gate, approver } = await paperGate({ tools: [write], answers: ["deny", "approve"] });
    const codes = [];
    for (let index = 0; index < 3; index++)
      codes.push(codeOf(await gate.dispatch({ tool: "x.run", input: { index } })));
    expect(codes).toEqual(["approval_denied", "ran", "ran"]);
    expect(approver.asked.map(({ input }) => input)).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
  });

  it("may answer by what it is asked", async () => {
    const { gate } = await paperGate({
      tools: [write],
      answers: [({ input }) => ({ decision: "approve", input: { was: input } })],
    });
    expect(await gate.dispatch({ tool: "x.run", input: { q: 1 } })).toMatchObject({
      ok: true,
      value: { was: { q: 1 } },
    });
  });

  it("denies without a script", async () => {
    const { gate } = await paperGate({ tools: [write], approver: createScriptedApprover() });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("approval_denied");
  });

  it("leaves a question open that it never answers", async () => {
    const { gate, clock } = await paperGate({
      tools: [write],
      answers: ["never"],
      approvals: { timeoutMs: 50 },
    });
    const call = gate.dispatch({ tool: "x.run" });
    await settle();
    expect(await gate.approvals.pending()).toHaveLength(1);
    await clock.advance(50);
    expect(codeOf(await call)).toBe("approval_expired");
  });
});
