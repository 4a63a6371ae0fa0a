import { describe, expect, it } from "vitest";
import { createGatedTool } from "../../tools.ts";
import { codeOf, paperGate, settle, tool } from "../paper-gate.ts";

describe("a call that is cancelled", () => {
  it("before it began does nothing at all", async () => {
    const seen: string[] = [];
    const { gate, ledger } = await paperGate({
      tools: [tool({ run: () => void seen.push("ran") })],
      hooks: [{ name: "h", type: "PreToolUse", run: () => void seen.push("hook") }],
    });
    expect(await gate.dispatch({ tool: "x.run", signal: AbortSignal.abort() })).toMatchObject({
      error: { code: "cancelled", stage: "resolve" },
    });
    expect([seen, ledger.records().length]).toEqual([[], 1]);
  });

  it("while a hook that answers at once looks at it does not run", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const { gate } = await paperGate({
      tools: [tool({ run: () => void seen.push("ran") })],
      hooks: [{ name: "h", type: "PreToolUse", run: () => controller.abort() }],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", signal: controller.signal }))).toBe("cancelled");
    expect(seen).toEqual([]);
  });

  it("while it runs ends at once; the tool is told by its signal", async () => {
    const { tool: slow, started, signals } = createGatedTool();
    const { gate, clock, ledger } = await paperGate({ tools: [slow] });
    const controller = new AbortController();
    const call = gate.dispatch({ tool: "slow.wait", signal: controller.signal });
    await settle();
    controller.abort();
    expect(await call).toMatchObject({ error: { code: "cancelled", stage: "run" } });
    expect(signals[0]?.reason?.name).toBe("AbortError");
    expect(ledger.records()).toMatchObject([{ code: "cancelled", verdict: "allow" }]);
    started[0]?.();
    await clock.advance(100);
    expect(clock.waitingTimers).toBe(0);
  });

  it("between two tries of a retry is not tried again", async () => {
    let runs = 0;
    const controller = new AbortController();
    const { gate, clock } = await paperGate({
      tools: [
        tool({
          idempotent: true,
          maxRetries: 5,
          run: () => {
            runs++;
            throw new Error("again");
          },
        }),
      ],
    });
    const call = gate.dispatch({ tool: "x.run", signal: controller.signal });
    await settle();
    controller.abort();
    expect(codeOf(await call)).toBe("cancelled");
    await clock.advance(60_000);
    expect(runs).toBe(1);
  });

  it("leaves other calls with other signals alone", async () => {
    const { tool: slow, started } = createGatedTool();
    const { gate } = await paperGate({ tools: [slow] });
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [
      gate.dispatch({ tool: "slow.wait", signal: one.signal }),
      gate.dispatch({ tool: "slow.wait", signal: two.signal }),
    ];
    await settle();
    one.abort();
    started[1]?.();
    expect((await Promise.all(calls)).map(codeOf)).toEqual(["cancelled", "ran"]);
    started[0]?.();
  });
});

describe("closing the gate", () => {
  it("waits for what runs and takes nothing new", async () => {
    const { tool: slow, started } = createGatedTool();
    const { gate } = await paperGate({ tools: [slow] });
    let closed = false;
    const call = gate.dispatch({ tool: "slow.wait" });
    await settle();
    const closing = gate.close().then(() => {
      closed = true;
    });
    expect(codeOf(await gate.dispatch({ tool: "slow.wait" }))).toBe("gate_closed");
    await settle();
    expect(closed).toBe(false);
    started[0]?.();
    await closing;
    expect(codeOf(await call)).toBe("ran");
  });

  it("is at once when nothing runs, and happens at the end of a block", async () => {
    const { gate } = await paperGate({ tools: [tool()] });
    {
      await using held = gate;
      expect((await held.dispatch({ tool: "x.run" })).ok).toBe(true);
    }
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("gate_closed");
  });
});
