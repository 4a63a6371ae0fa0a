import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type ToolContext, toolResult } from "../../../../src/index.ts";
import { execute } from "../../../../src/pipeline/run/execute.ts";
import { createGatedTool } from "../../../tools.ts";
import { codeOf, endOf, messageOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

describe("what a tool throws", () => {
  it.each([
    ["an error", new Error("no such note"), "no such note"],
    ["an error without words", new RangeError(), "RangeError"],
    ["text", "plain", "plain"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["an object that cannot be printed", { toString: throws(new Error("x")) }, "cannot be printed"],
    ["an object without a prototype", Object.create(null), "cannot be printed"],
  ])("%s ends as a failure with words", async (_, thrown, words) => {
    for (const run of [throws(thrown), () => Promise.reject(thrown)]) {
      const { gate } = await paperGate({ tools: [tool({ run })] });
      const outcome = await gate.dispatch({ tool: "x.run" });
      expect([codeOf(outcome), messageOf(outcome)]).toEqual(["tool_failed", expect.stringContaining(words)]);
      expect(outcome.result.isError).toBe(true);
    }
  });

  it("is kept as the cause for people who look, but not in what is sent on", async () => {
    const cause = new Error("boom");
    const { gate } = await paperGate({ tools: [tool({ run: throws(cause) })] });
    const outcome = await gate.dispatch({ tool: "x.run" });
    expect(outcome.ok ? undefined : outcome.error.cause).toBe(cause);
    expect(JSON.stringify(outcome)).not.toContain("stack");
  });
});

describe("what a tool returns", () => {
  it("is the value, and content for a model", async () => {
    const { gate } = await paperGate({ tools: [tool({ run: async () => ({ n: 1 }) })] });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({
      ok: true,
      value: { n: 1 },
      result: { content: [{ type: "text", text: '{"n":1}' }], structured: { n: 1 }, isError: false },
    });
  });

  it("may be a whole result, whose structured part is the value", async () => {
    const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
    const { gate } = await paperGate({
      tools: [tool({ run: () => toolResult({ content: [image], structured: { n: 1 } }) })],
    });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({
      ok: true,
      value: { n: 1 },
      result: { content: [image] },
    });
  });

  it("is a failure when it says so", async () => {
    const { gate } = await paperGate({
      tools: [
        tool({ run: () => toolResult({ content: [{ type: "text", text: "not found" }], isError: true }) }),
      ],
    });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({
      ok: false,
      error: { code: "tool_failed", stage: "run", message: "not found" },
    });
  });

  it.each([
    [
      "a cycle",
      () => {
        const one: Record<string, unknown> = {};
        one.self = one;
        return one;
      },
    ],
    ["a bigint inside", () => ({ n: 1n })],
    ["an object whose toJSON throws", () => ({ toJSON: throws(new Error("x")) })],
  ])("is a failure when it is not data: %s", async (_, run) => {
    expect(await endOf({ tools: [tool({ run })] })).toBe("tool_failed");
  });

  it("must fit the output schema, which may refine it", async () => {
    const output = z.object({ n: z.number().transform((n) => n * 2) });
    const { gate } = await paperGate({ tools: [tool({ output, run: (args: object) => args })] });
    expect(await gate.dispatch({ tool: "x.run", input: { n: 2 } })).toMatchObject({
      ok: true,
      value: { n: 4 },
    });
    expect(await gate.dispatch({ tool: "x.run", input: { n: "2" } })).toMatchObject({
      ok: false,
      error: { code: "invalid_output", issues: [{ path: "$.n" }] },
    });
  });

  it("need not fit the output schema when it is an error", async () => {
    expect(
      await endOf({
        tools: [
          tool({
            output: z.object({ n: z.number() }),
            run: () => toolResult({ content: [], isError: true }),
          }),
        ],
      }),
    ).toBe("tool_failed");
  });
});

describe("output that is too long", () => {
  async function run(text: string, maxOutputBytes: number, isError = false) {
    const { gate } = await paperGate({
      tools: [
        tool({ maxOutputBytes, run: () => toolResult({ content: [{ type: "text", text }], isError }) }),
      ],
    });
    const outcome = await gate.dispatch({ tool: "x.run" });
    const [block] = outcome.result.content;
    const shown = block?.type === "text" ? block.text : "";
    const path = /is in (\S+\.txt);/.exec(shown)?.[1];
    return { outcome, shown, path };
  }

  it("is cut in the middle, with the whole of it in a private file and a hint how to read it", async () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join("\n");
    const { shown, path = "" } = await run(text, 2_000);
    expect(shown.startsWith("line 0\n")).toBe(true);
    expect(shown.endsWith("line 1999")).toBe(true);
    expect(shown).toContain(`fs.read {"path": "${path}"`);
    expect(Buffer.byteLength(shown)).toBeLessThan(2_500);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    rmSync(dirname(path), { recursive: true });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("is never cut inside a character (offset %i)", async (offset) => {
    const text = "x".repeat(offset) + "ä€😀".repeat(400);
    const { shown, path = "" } = await run(text, 200 + offset);
    expect(shown).not.toContain("\ufffd");
    const [before = "", after = ""] = shown.split(/\n\[….*…\]\n/);
    expect([text.startsWith(before), text.endsWith(after)]).toEqual([true, true]);
    expect(Math.min(before.length, after.length)).toBeGreaterThan(20);
    const left = Buffer.byteLength(text) - Buffer.byteLength(before) - Buffer.byteLength(after);
    expect(shown).toContain(`${left} bytes left out`);
    rmSync(dirname(path), { recursive: true });
  });

  it("is left alone at exactly the limit, counted in bytes", async () => {
    expect((await run("ä".repeat(50), 100)).path).toBeUndefined();
    const { path = "" } = await run(`${"ä".repeat(50)}x`, 100);
    expect(path).not.toBe("");
    rmSync(dirname(path), { recursive: true });
  });

  it("is cut too when it is an error", async () => {
    const { outcome, path = "" } = await run("x".repeat(5_000), 100, true);
    expect([codeOf(outcome), messageOf(outcome).length < 600]).toEqual(["tool_failed", true]);
    rmSync(dirname(path), { recursive: true });
  });

  it("keeps its images", async () => {
    const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
    const { gate } = await paperGate({
      tools: [
        tool({
          maxOutputBytes: 10,
          run: () => toolResult({ content: [{ type: "text", text: "x".repeat(50) }, image] }),
        }),
      ],
      spill: { save: async () => ({ path: "/kept.txt" }) },
    });
    expect((await gate.dispatch({ tool: "x.run" })).result.content).toMatchObject([{ type: "text" }, image]);
  });
});

describe("a time-out", () => {
  it("ends the call, tells the tool why, and leaves no timer behind", async () => {
    const { tool: slow, started, signals } = createGatedTool();
    const { gate, clock } = await paperGate({ tools: [slow] });
    const call = gate.dispatch({ tool: "slow.wait" });
    await clock.advance(4_999);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(1);
    expect(await call).toMatchObject({
      error: { code: "timed_out", message: expect.stringContaining("within 5s") },
      durationMs: 5_000,
    });
    expect(signals[0]?.reason?.name).toBe("TimeoutError");
    started[0]?.();
    await settle();
    expect(clock.waitingTimers).toBe(0);
  });

  it("is the gate's for a tool that names none", async () => {
    const { gate, clock } = await paperGate({
      tools: [tool({ run: () => new Promise(() => {}) })],
      defaultTimeoutMs: 70,
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(70);
    expect(codeOf(await call)).toBe("timed_out");
  });

  it("lets what the tool says afterwards change nothing", async () => {
    let late = (_: string) => {};
    let progress = () => {};
    const seen: unknown[] = [];
    const slow = tool({
      timeoutMs: 10,
      run: (_: unknown, context: { progress(p: object): void }) =>
        new Promise((resolve) => {
          late = resolve;
          progress = () => context.progress({ message: "late" });
        }),
    });
    const { gate, clock, ledger } = await paperGate({ tools: [slow] });
    gate.events.on("call-progress", (event) => seen.push(event));
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(10);
    const outcome = await call;
    progress();
    late("too late");
    await settle();
    expect([codeOf(outcome), seen, ledger.records().length]).toEqual(["timed_out", [], 1]);
  });
});

describe("retries", () => {
  const failing = (times: number, attempts: number[], now: () => number) => () => {
    attempts.push(now());
    if (attempts.length <= times) throw new Error(`attempt ${attempts.length}`);
    return "done";
  };

  it("come with growing pauses for an idempotent tool, and only as often as it says", async () => {
    const attempts: number[] = [];
    let now = () => 0;
    const { gate, clock } = await paperGate({
      tools: [tool({ idempotent: true, maxRetries: 3, run: () => failing(9, attempts, now)() })],
    });
    now = () => clock.monotonic();
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(5_000);
    expect([messageOf(await call), attempts]).toEqual(["x.run failed: attempt 4", [0, 100, 300, 700]]);
  });

  it("end with the first success", async () => {
    const attempts: number[] = [];
    const { gate, clock } = await paperGate({
      tools: [tool({ idempotent: true, maxRetries: 3, run: failing(1, attempts, () => 0) })],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(1_000);
    expect([codeOf(await call), attempts.length]).toEqual(["ran", 2]);
  });

  it("never come for a tool that is not idempotent or names no number", async () => {
    for (const parts of [{}, { idempotent: true }]) {
      const attempts: number[] = [];
      const { gate } = await paperGate({ tools: [tool({ ...parts, run: failing(1, attempts, () => 0) })] });
      expect([codeOf(await gate.dispatch({ tool: "x.run" })), attempts.length]).toEqual(["tool_failed", 1]);
    }
  });

  it("share one time-out, and none comes after it or after a cancel", async () => {
    const attempts: number[] = [];
    const { gate, clock } = await paperGate({
      tools: [
        tool({ idempotent: true, maxRetries: 99, timeoutMs: 250, run: failing(99, attempts, () => 0) }),
      ],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(250);
    expect(codeOf(await call)).toBe("timed_out");
    await clock.advance(60_000);
    expect([attempts.length, clock.waitingTimers]).toEqual([2, 0]);
  });

  it("do not come after a result that says it is an error", async () => {
    let runs = 0;
    const { gate } = await paperGate({
      tools: [
        tool({
          idempotent: true,
          maxRetries: 3,
          run: () => {
            runs++;
            return toolResult({ content: [], isError: true });
          },
        }),
      ],
    });
    await gate.dispatch({ tool: "x.run" });
    expect(runs).toBe(1);
  });
});

describe("what a tool is told", () => {
  it("is who calls, from where, in which session and mode, with the gate's services", async () => {
    const seen: object[] = [];
    const run = (
      _: unknown,
      { callId, toolUseId, sessionId, caller, mode, cwd, roots, services }: ToolContext,
    ) => void seen.push({ callId, toolUseId, sessionId, caller, mode, cwd, roots, services });
    const { gate } = await paperGate({ tools: [tool({ run })], services: { clockmaker: 1 } as never });
    const caller = { id: "agent", capabilities: ["*"] };
    await gate.dispatch({
      tool: "x.run",
      sessionId: "s",
      toolUseId: "u",
      caller,
      mode: "plan",
      cwd: "/workspace/src",
    });
    expect(seen).toEqual([
      {
        callId: "call-1",
        toolUseId: "u",
        sessionId: "s",
        caller,
        mode: "plan",
        cwd: "/workspace/src",
        roots: ["/workspace"],
        services: { clockmaker: 1 },
      },
    ]);
  });

  it("is heard by the caller and by those who watch when it reports progress", async () => {
    const heard: unknown[] = [];
    const run = (_: unknown, context: { progress(p: object): void }) =>
      context.progress({ done: 1, total: 2 });
    const { gate } = await paperGate({ tools: [tool({ run })] });
    gate.events.on("call-progress", ({ tool: id, progress }) => heard.push([id, progress]));
    await gate.dispatch({ tool: "x.run", onProgress: (progress) => heard.push(progress) });
    expect(heard).toEqual([{ done: 1, total: 2 }, ["x.run", { done: 1, total: 2 }]]);
  });

  it("does not fail when the one who listens to its progress throws", async () => {
    const errors: string[] = [];
    const { gate } = await paperGate({
      tools: [
        tool({
          run: (_: unknown, context: { progress(p: object): void }) => {
            context.progress({});
            return "done";
          },
        }),
      ],
    });
    gate.events.on("listener-error", ({ event }) => errors.push(event));
    expect(codeOf(await gate.dispatch({ tool: "x.run", onProgress: throws(new Error("boom")) }))).toBe("ran");
    expect(errors).toEqual(["progress"]);
  });
});

it("an object that looks like an admitted call does not run", () => {
  const ended: string[] = [];
  const finishing = { done: () => ended.push("done"), broke: () => ended.push("broke") };
  const forged = { call: { registered: undefined }, approval: undefined };
  expect(() => execute(forged as never, finishing as never, {} as never)).toThrow(
    "execute takes only a call that approve has admitted.",
  );
  expect(ended).toEqual([]);
});
