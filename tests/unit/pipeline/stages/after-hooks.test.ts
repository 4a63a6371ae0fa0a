import { describe, expect, it } from "vitest";
import type { Hook } from "../../../../src/index.ts";
import { codeOf, endOf, messageOf, paperGate, throws, tool } from "../../paper-gate.ts";

const post = (name: string, run: Extract<Hook, { type: "PostToolUse" }>["run"], more: object = {}): Hook => ({
  name,
  type: "PostToolUse",
  run,
  ...more,
});
const onError = (name: string, run: Extract<Hook, { type: "OnError" }>["run"], more: object = {}): Hook => ({
  name,
  type: "OnError",
  run,
  ...more,
});
const failing = tool({ id: "y.run", run: throws(new Error("boom")) });

describe("hooks after a call", () => {
  it("see what ran, what came back and how long it took", async () => {
    const seen: unknown[] = [];
    const { gate, clock } = await paperGate({
      tools: [
        tool({
          run: async () => {
            await clock.advance(7);
            return "out";
          },
        }),
      ],
      hooks: [post("p", (event) => void seen.push(event))],
    });
    await gate.dispatch({ tool: "x.run", input: { n: 1 }, sessionId: "s" });
    expect(seen).toMatchObject([
      {
        callId: "call-1",
        sessionId: "s",
        postToolUse: {
          toolName: "x.run",
          parameters: { n: 1 },
          result: { content: [{ text: "out" }] },
          success: true,
          executionTimeMs: 7,
        },
      },
    ]);
  });

  it("see failures too, and only those reach the hooks for errors", async () => {
    const seen: unknown[] = [];
    const hooks = [
      post("p", ({ postToolUse }) => void seen.push(postToolUse.success)),
      onError("e", ({ onError: error }) => void seen.push(error)),
    ];
    const { gate } = await paperGate({ tools: [tool(), failing], hooks });
    await gate.dispatch({ tool: "x.run" });
    await gate.dispatch({ tool: "y.run" });
    expect(seen).toEqual([true, false, { toolName: "y.run", error: "y.run failed: boom" }]);
  });

  it("do not run for a call that was refused before it ran", async () => {
    const seen: string[] = [];
    const hooks = [post("p", () => void seen.push("p")), onError("e", () => void seen.push("e"))];
    const { gate } = await paperGate({
      tools: [tool()],
      hooks,
      policies: [{ name: "no", tools: "*", action: "deny" }],
    });
    await gate.dispatch({ tool: "x.run" });
    expect(seen).toEqual([]);
  });

  it("add their contexts behind those of the hooks before", async () => {
    const hooks: Hook[] = [
      { name: "pre", type: "PreToolUse", run: () => "before" },
      post("p", () => "after"),
      onError("e", () => ({ contextModification: "failed" })),
    ];
    const { gate } = await paperGate({ tools: [tool(), failing], hooks });
    expect((await gate.dispatch({ tool: "x.run" })).contexts).toEqual(["before", "after"]);
    expect((await gate.dispatch({ tool: "y.run" })).contexts).toEqual(["before", "after", "failed"]);
  });

  it("that cancel end the session's task, not the call that has run", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      hooks: [post("p", () => ({ cancel: true, errorMessage: "Enough." }))],
    });
    const seen: unknown[] = [];
    gate.events.on("task-cancel", (event) => seen.push(event));
    expect(await gate.dispatch({ tool: "x.run", sessionId: "s" })).toMatchObject({
      ok: true,
      value: "done",
      contexts: ["Enough."],
    });
    expect(seen).toEqual([{ sessionId: "s", hook: "p", message: "Enough." }]);
  });

  it("that fail closed withhold the result and say that the call ran", async () => {
    const { gate, ledger } = await paperGate({
      tools: [tool({ run: () => "secret" })],
      hooks: [post("p", throws(new Error("scanner gone")))],
    });
    const outcome = await gate.dispatch({ tool: "x.run" });
    expect([codeOf(outcome), messageOf(outcome)]).toEqual([
      "hook_failed",
      'x.run ran, but hook "p" failed: scanner gone. It fails closed, so the result is withheld.',
    ]);
    expect(JSON.stringify([outcome, ledger.records()])).not.toContain("secret");
    expect(ledger.records()).toMatchObject([
      { verdict: "allow", ok: false, code: "hook_failed", stage: "after-hooks" },
    ]);
  });

  it("that fail open withhold nothing", async () => {
    expect(await endOf({ tools: [tool()], hooks: [post("p", () => 7 as never, { failMode: "open" })] })).toBe(
      "ran",
    );
  });

  it("that take too long fail, by the clock", async () => {
    const { gate, clock } = await paperGate({
      tools: [tool()],
      hooks: [post("p", () => new Promise(() => {}), { timeoutMs: 50 })],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(50);
    expect(codeOf(await call)).toBe("hook_failed");
  });

  it("look at a call even if its caller has left", async () => {
    const seen: string[] = [];
    const controller = new AbortController();
    const hooks = [post("p", async () => void seen.push("looked"))];
    const { gate } = await paperGate({
      tools: [tool({ run: () => new Promise(() => controller.abort()) })],
      hooks,
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", signal: controller.signal }))).toBe("cancelled");
    expect(seen).toEqual(["looked"]);
  });
});
