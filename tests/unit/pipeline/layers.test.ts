import { describe, expect, it } from "vitest";
import { loggingLayer, type Timing, timingLayer } from "../../../src/index.ts";
import { codeOf, messageOf, paperGate, settle, throws, tool } from "../paper-gate.ts";

describe("layers around the run", () => {
  it("wrap it in the order of use, the first outermost", async () => {
    const order: string[] = [];
    const { gate } = await paperGate({ tools: [tool({ run: () => void order.push("run") })] });
    for (const name of ["outer", "inner"]) {
      gate.use(async (_, next) => {
        order.push(`${name} in`);
        const value = await next();
        order.push(`${name} out`);
        return value;
      });
    }
    await gate.dispatch({ tool: "x.run" });
    expect(order).toEqual(["outer in", "inner in", "run", "inner out", "outer out"]);
  });

  it("cannot run the tool twice with one yes", async () => {
    let runs = 0;
    const { gate } = await paperGate({ tools: [tool({ run: () => ++runs })] });
    gate.use(async (_, next) => {
      await next();
      return next();
    });
    expect(messageOf(await gate.dispatch({ tool: "x.run" }))).toContain("next() twice");
    expect(runs).toBe(1);
  });

  it("cannot run it after the call has ended, been cancelled or run out of time", async () => {
    let runs = 0;
    const kept: (() => Promise<unknown>)[] = [];
    const { gate, clock } = await paperGate({ tools: [tool({ run: () => ++runs, timeoutMs: 50 })] });
    const waits = [true, false];
    gate.use(async (_, next) => {
      kept.push(next);
      if (waits.shift() === true) return "early";
      return new Promise(() => {});
    });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ ok: true, value: "early" });
    const second = gate.dispatch({ tool: "x.run" });
    await settle();
    await clock.advance(60);
    expect(codeOf(await second)).toBe("timed_out");
    for (const next of kept) await expect(next()).rejects.toThrow("after the call of x.run had ended");
    expect(runs).toBe(0);
  });

  it("see the tool, the input and the context, and cannot change the input", async () => {
    const seen: unknown[] = [];
    const { gate } = await paperGate({ tools: [tool({ run: (args: unknown) => args })] });
    gate.use(async ({ toolId, input, context }, next) => {
      seen.push([toolId, input, context.callId]);
      expect(() => {
        (input as { n: number }).n = 2;
      }).toThrow();
      return next();
    });
    expect(await gate.dispatch({ tool: "x.run", input: { n: 1 } })).toMatchObject({ value: { n: 1 } });
    expect(seen).toEqual([["x.run", { n: 1 }, "call-1"]]);
  });

  it("see no call that was refused, and cannot keep one out of the ledger", async () => {
    let calls = 0;
    const { gate, ledger } = await paperGate({ tools: [tool(), tool({ id: "w.run", permission: "write" })] });
    gate.use(async () => {
      calls++;
      return "instead";
    });
    expect(codeOf(await gate.dispatch({ tool: "w.run" }))).toBe("no_approver");
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ ok: true, value: "instead" });
    expect([calls, ledger.records().length]).toEqual([1, 2]);
  });

  it("may turn a failure into a value and a value into a failure", async () => {
    const { gate } = await paperGate({ tools: [tool({ run: throws(new Error("boom")) })] });
    gate.use(async (_, next) => next().catch(() => "saved"));
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ ok: true, value: "saved" });
    gate.use(() => Promise.reject(new Error("inner")));
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ ok: true, value: "saved" });
  });

  it("are around all tries of a retry together", async () => {
    let entered = 0;
    let runs = 0;
    const { gate, clock } = await paperGate({
      tools: [
        tool({
          idempotent: true,
          maxRetries: 2,
          run: () => {
            if (++runs < 3) throw new Error("again");
            return "done";
          },
        }),
      ],
    });
    gate.use(async (_, next) => {
      entered++;
      return next();
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(1_000);
    expect([codeOf(await call), entered, runs]).toEqual(["ran", 1, 3]);
  });

  it("added while a call runs do not touch that call", async () => {
    const held = Promise.withResolvers<void>();
    const seen: string[] = [];
    const { gate } = await paperGate({ tools: [tool({ run: () => held.promise })] });
    const call = gate.dispatch({ tool: "x.run" });
    await settle();
    gate.use(async (_, next) => {
      seen.push("late");
      return next();
    });
    held.resolve();
    await call;
    expect(seen).toEqual([]);
  });

  it("must be functions", async () => {
    const { gate } = await paperGate();
    expect(() => gate.use("log" as never)).toThrow("A layer is a function");
  });
});

describe("the layers that ship", () => {
  it("log a line before and a line after", async () => {
    const lines: string[] = [];
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "y.run", run: throws(new Error("boom")) })],
    });
    gate.use(loggingLayer((line) => lines.push(line)));
    await gate.dispatch({ tool: "x.run" });
    await gate.dispatch({ tool: "y.run" });
    expect(lines).toEqual([
      "call-1 x.run runs",
      "call-1 x.run returned",
      "call-2 y.run runs",
      "call-2 y.run threw: boom",
    ]);
  });

  it("tell how long a run took", async () => {
    const timings: Timing[] = [];
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "y.run", run: throws(new Error("boom")) })],
    });
    gate.use(timingLayer((timing) => timings.push(timing)));
    await gate.dispatch({ tool: "x.run" });
    await gate.dispatch({ tool: "y.run" });
    expect(timings).toMatchObject([
      { toolId: "x.run", threw: false },
      { toolId: "y.run", threw: true },
    ]);
    expect(timings.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  });
});
