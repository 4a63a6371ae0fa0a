import { describe, expect, it } from "vitest";
import { createGate, type Gate, type Limit } from "../../../../src/index.ts";
import { createGatedTool } from "../../../tools.ts";
import { codeOf, endOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

const approve = [{ name: "yes", tools: "*", action: "approve" as const }];
const ends = async (gate: Gate) => codeOf(await gate.dispatch({ tool: "x.run" }));
const limit = (more: Partial<Limit>): Limit => ({ name: "l", max: 1, windowMs: 1_000, ...more });

describe("a window", () => {
  it("refuses the call too many, says when to come back, and lets it in at that time", async () => {
    const { gate, clock } = await paperGate({
      tools: [tool()],
      limits: [limit({ max: 2, source: { file: "l.yaml", line: 1 } })],
    });
    await gate.dispatch({ tool: "x.run" });
    await clock.advance(300);
    await gate.dispatch({ tool: "x.run" });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({
      error: {
        code: "rate_limited",
        stage: "limit",
        retryAfterMs: 700,
        rule: { kind: "limit", name: "l", source: { file: "l.yaml" } },
      },
    });
    await clock.advance(699);
    expect(await ends(gate)).toBe("rate_limited");
    await clock.advance(1);
    expect(await ends(gate)).toBe("ran");
  });

  it.each([
    [undefined, { tool: "y.run" }, true],
    ["tool", { tool: "y.run" }, true],
    ["tool", { sessionId: "t" }, false],
    ["category", { tool: "y.run" }, false],
    ["category", { tool: "z.run" }, true],
    ["session", { tool: "y.run" }, false],
    ["session", { sessionId: "t" }, true],
    ["session", { caller: { id: "b", capabilities: ["*"] } }, true],
    ["session", { sessionId: undefined }, true],
    ["caller", { sessionId: "t" }, false],
    ["caller", { caller: { id: "b", capabilities: ["*"] } }, true],
    ["gate", { tool: "z.run", sessionId: "t", caller: { id: "b", capabilities: ["*"] } }, false],
  ] as const)("per %s lets %j in after another call: %s", async (per, other, lets) => {
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "y.run" }), tool({ id: "z.run", category: "code" })],
      limits: [limit(per === undefined ? {} : { per })],
    });
    const first = { tool: "x.run", sessionId: "s", caller: { id: "a", capabilities: ["*"] } };
    expect(codeOf(await gate.dispatch(first))).toBe("ran");
    expect(codeOf(await gate.dispatch({ ...first, ...other }))).toBe(lets ? "ran" : "rate_limited");
  });

  it("per session counts the calls of a caller that name none as one session", async () => {
    const { gate } = await paperGate({ tools: [tool()], limits: [limit({ per: "session" })] });
    const end = async (id: string) =>
      codeOf(await gate.dispatch({ tool: "x.run", caller: { id, capabilities: ["*"] } }));
    expect([await end("a"), await end("a"), await end("b")]).toEqual(["ran", "rate_limited", "ran"]);
  });

  it("counts only the tools and categories it names", async () => {
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "z.run", category: "code" })],
      limits: [limit({ name: "a", tools: "y.*", max: 0 }), limit({ name: "b", category: "code", max: 0 })],
    });
    expect(await ends(gate)).toBe("ran");
    expect(codeOf(await gate.dispatch({ tool: "z.run" }))).toBe("rate_limited");
  });

  it("does not count a call that a policy denied or that was invalid", async () => {
    const { gate } = await paperGate({
      tools: [tool({ input: { type: "object", required: ["n"] } })],
      limits: [limit({})],
    });
    for (let index = 0; index < 3; index++) expect(await ends(gate)).toBe("invalid_input");
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: 1 } }))).toBe("ran");
  });

  it("is asked before a person is", async () => {
    const { gate, approver } = await paperGate({
      tools: [tool({ permission: "write" })],
      limits: [limit({})],
      answers: ["approve"],
    });
    const codes = [await ends(gate), await ends(gate)];
    expect([codes, approver.asked.length]).toEqual([["ran", "rate_limited"], 1]);
  });

  it("counts nothing when another limit of the call refuses", async () => {
    const { gate, clock } = await paperGate({
      tools: [tool(), tool({ id: "y.run" })],
      limits: [
        limit({ name: "wide", per: "gate", max: 2, windowMs: 10_000 }),
        limit({ name: "tight", tools: "x.run" }),
      ],
    });
    await gate.dispatch({ tool: "x.run" });
    for (let index = 0; index < 5; index++) expect(await ends(gate)).toBe("rate_limited");
    await clock.advance(1_000);
    expect(codeOf(await gate.dispatch({ tool: "y.run" }))).toBe("ran");
  });
});

describe("a number of calls at once", () => {
  const one = [{ name: "one", concurrent: 1 }];

  it.for([
    ["success", tool(), "ran"],
    ["a failure", tool({ run: throws(new Error("boom")) }), "tool_failed"],
  ] as const)("gives its place back after %s", async ([, made, code]) => {
    const { gate } = await paperGate({ tools: [made], limits: one });
    for (let index = 0; index < 3; index++) expect(await ends(gate)).toBe(code);
  });

  it("gives its place back after a time-out", async () => {
    const { tool: slow, started } = createGatedTool();
    const { gate, clock } = await paperGate({ tools: [slow], limits: one });
    const call = gate.dispatch({ tool: "slow.wait" });
    await clock.advance(5_000);
    expect(codeOf(await call)).toBe("timed_out");
    started[0]?.();
    await settle();
    const next = gate.dispatch({ tool: "slow.wait" });
    await settle();
    started[1]?.();
    expect(codeOf(await next)).toBe("ran");
  });

  it("gives its place back when a person says no, when nobody can be asked and when the approver breaks", async () => {
    const write = tool({ permission: "write" });
    const broken = { name: "broken", ask: () => Promise.reject(new Error("gone")) };
    for (const options of [{ answers: ["deny" as const] }, {}, { approver: broken }]) {
      const { gate } = await paperGate({ tools: [write], limits: one, ...options });
      const codes = [await ends(gate), await ends(gate)];
      expect(codes).not.toContain("too_many_running");
    }
  });

  it("gives its place back when the ledger refuses the intent or the record", async () => {
    for (const method of ["open", "close"] as const) {
      const ledger = { open: () => {}, close: () => {}, [method]: throws(new Error("disk full")) };
      const gate = await createGate({
        tools: [tool({ permission: "write" })],
        policies: approve,
        limits: one,
        ledger,
      });
      for (let index = 0; index < 2; index++) expect(await ends(gate)).toBe("ledger_failed");
    }
  });

  it("refuses the one too many while the others run", async () => {
    const { tool: slow, started } = createGatedTool();
    const { gate } = await paperGate({ tools: [slow], limits: [{ name: "two", concurrent: 2 }] });
    const calls = [gate.dispatch({ tool: "slow.wait" }), gate.dispatch({ tool: "slow.wait" })];
    await settle();
    expect(await gate.dispatch({ tool: "slow.wait" })).toMatchObject({
      error: { code: "too_many_running", rule: { name: "two" } },
    });
    for (const go of started) go();
    expect((await Promise.all(calls)).map(codeOf)).toEqual(["ran", "ran"]);
  });

  it("is not counted for calls whose end only the agent sees", async () => {
    const { gate } = await paperGate({ limits: one });
    for (let index = 0; index < 3; index++)
      expect((await gate.check({ tool: "Bash", input: { command: "ls" } })).verdict).toBe("abstain");
  });
});

it("a store of limits that breaks stops the call", async () => {
  expect(
    await endOf({
      tools: [tool()],
      limits: [limit({})],
      limitStore: { take: () => Promise.reject(new Error("gone")) },
    }),
  ).toBe("internal_error");
});
