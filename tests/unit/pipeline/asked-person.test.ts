/** A tool that asks the person at the client: its own time stands still meanwhile, but not for ever. */
import { describe, expect, it } from "vitest";
import type { ElicitAnswer, ToolContext } from "../../../src/index.ts";
import { codeOf, paperGate, tool } from "../paper-gate.ts";

const question = { from: "x", params: { message: "Which one?" } };

async function asking(then: (context: ToolContext) => unknown = () => "done") {
  const answers: ((answer: ElicitAnswer) => void)[] = [];
  const asks = tool({
    timeoutMs: 1_000,
    run: async (_: unknown, context: ToolContext) => {
      await context.elicit?.(question, { signal: context.signal });
      return then(context);
    },
  });
  const { gate, clock } = await paperGate({ tools: [asks], approvals: { timeoutMs: 60_000 } });
  const elicit = () => new Promise<ElicitAnswer>((resolve) => answers.push(resolve));
  const call = gate.dispatch({ tool: "x.run", elicit });
  await clock.advance(0);
  return { call, clock, answer: () => answers.shift()?.({ action: "accept", content: {} }) };
}

describe("a tool that asks a person", () => {
  it("is not cut off while the person thinks", async () => {
    const { call, clock, answer } = await asking();
    await clock.advance(30_000);
    answer();
    expect(await call).toMatchObject({ ok: true, result: { content: [{ text: "done" }] } });
  });

  it("has what was left of its time afterwards", async () => {
    const { call, clock, answer } = await asking(() => new Promise(() => {}));
    await clock.advance(30_000);
    answer();
    await clock.advance(0);
    let code = "";
    void call.then((outcome) => {
      code = String(codeOf(outcome));
    });
    await clock.advance(990);
    expect(code).toBe("");
    await clock.advance(10);
    expect(code).toBe("timed_out");
  });

  it("waits no longer than an approval would, however often it asks", async () => {
    const { call, clock, answer } = await asking(async ({ elicit, signal }) => {
      for (;;) await elicit?.(question, { signal });
    });
    let code = "";
    void call.then((outcome) => {
      code = String(codeOf(outcome));
    });
    for (let asked = 0; asked < 6; asked++) {
      await clock.advance(10_100);
      answer();
      await clock.advance(0);
    }
    expect(code).toBe("");
    await clock.advance(500);
    expect(code).toBe("timed_out");
  });
});
