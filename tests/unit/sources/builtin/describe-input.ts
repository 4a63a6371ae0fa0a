/** What input a tool takes and refuses, in a gate where all is open. */
import { describe, expect, it, onTestFinished } from "vitest";
import { type AnyTool, createGate } from "../../../../src/index.ts";
import { rule } from "../rule.ts";

/** `good` must succeed; its schema must refuse all that is `bad`. */
export function describeInput(
  id: string,
  createTool: () => AnyTool,
  { good, bad }: { readonly good: object; readonly bad: readonly unknown[] },
): void {
  describe(`${id} takes`, () => {
    it.each([
      ["its input", [good], ["ok"]],
      [
        "no input that does not fit",
        [...bad, { ...good, surprise: 1 }, [], "x"],
        ["invalid_input", "bad_call"],
      ],
    ])("%s", async (_, inputs, codes) => {
      const gate = await createGate({
        tools: [createTool()],
        policies: [rule("approve", "*")],
        enable: { enableAll: true },
      });
      onTestFinished(() => gate.close());
      for (const input of inputs) {
        const outcome = await gate.dispatch({ tool: id, input, sessionId: "s" });
        expect(codes, JSON.stringify(input)).toContain(outcome.ok ? "ok" : outcome.error.code);
      }
    });
  });
}
