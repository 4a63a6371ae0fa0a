import { describe, expect, it } from "vitest";
import { createTestGate } from "../../../src/testing/index.ts";
import { add, write } from "../../tools.ts";

describe("a test gate", () => {
  it("is a real gate with ids that count and time that stands still", async () => {
    const { gate, ledger, clock } = await createTestGate({ tools: [add] });
    expect(await gate.call(add, { a: 2, b: 40 })).toMatchObject({
      ok: true,
      value: 42,
      callId: "call-1",
      durationMs: 0,
    });
    expect(ledger.records()).toMatchObject([{ callId: "call-1", at: clock.now() }]);
  });

  it("asks nobody unless it is given answers", async () => {
    const { gate, approver } = await createTestGate({ tools: [write] });
    expect(await gate.dispatch({ tool: "notes.write", input: { path: "a" } })).toMatchObject({
      error: { code: "no_approver" },
    });
    expect(approver.asked).toEqual([]);
  });

  it("takes every option of a gate", async () => {
    const { gate } = await createTestGate({
      tools: [add],
      policies: [{ name: "no", tools: "*", action: "deny" }],
    });
    expect((await gate.call(add, { a: 1, b: 1 })).ok).toBe(false);
  });
});
