/** A hook that looked at a call ends the task; a person's no ends the turn. What follows is refused. */
import { describe, expect, it } from "vitest";
import type { CallRequest, Hook } from "../../../src/index.ts";
import { createScriptedApprover } from "../../../src/testing/index.ts";
import { codeOf, endOf, paperGate, tool } from "../paper-gate.ts";

const ending: Hook = {
  name: "scan",
  type: "PostToolUse",
  run: ({ postToolUse: { parameters } }) =>
    parameters.n === 13 ? { cancel: true, errorMessage: "Thirteen." } : undefined,
};
const call = (n: number, more: Partial<CallRequest> = {}): CallRequest => ({
  tool: "x.run",
  input: { n },
  sessionId: "s",
  ...more,
});

describe("the task of a session that a hook has ended", () => {
  it("is over for every later call, which is told why; the call itself says that it ended it", async () => {
    const { gate, ledger } = await paperGate({ tools: [tool()], hooks: [ending] });
    expect(codeOf(await gate.dispatch(call(1)))).toBe("ran");
    const last = await gate.dispatch(call(13));
    expect(last).toMatchObject({
      ok: true,
      contexts: ["Thirteen."],
      taskEnd: { kind: "cancelled", by: "scan", message: "Thirteen." },
    });
    expect(await gate.dispatch(call(1))).toMatchObject({
      ok: false,
      error: {
        code: "task_ended",
        stage: "resolve",
        message: 'Hook "scan" ended the task of this session: Thirteen.',
        rule: { kind: "hook", name: "scan" },
      },
    });
    expect(ledger.records().at(-1)).toMatchObject({ verdict: "deny", code: "task_ended" });
    expect(await gate.check(call(1))).toMatchObject({ verdict: "deny", error: { code: "task_ended" } });
    expect(await gate.check(call(1), { wait: false })).toMatchObject({ verdict: "deny" });
    expect(await gate.explain(call(1))).toMatchObject({ verdict: "deny", code: "task_ended" });
  });

  it("is nobody else's: another session, another caller and calls without a session go on", async () => {
    const { gate } = await paperGate({ tools: [tool()], hooks: [ending] });
    await gate.dispatch(call(13));
    const other = { id: "other", capabilities: ["*"] };
    for (const more of [{ sessionId: "t" }, { caller: other }, { sessionId: undefined }])
      expect(codeOf(await gate.dispatch(call(1, more))), JSON.stringify(more)).toBe("ran");
  });

  it("of a call without a session is over with the call", async () => {
    const { gate } = await paperGate({ tools: [tool()], hooks: [ending] });
    const alone = { sessionId: undefined };
    expect(await gate.dispatch(call(13, alone))).toMatchObject({ ok: true, taskEnd: { by: "scan" } });
    expect(codeOf(await gate.dispatch(call(1, alone)))).toBe("ran");
  });

  it("is followed by a new one, for the caller for whom it is started", async () => {
    const { gate } = await paperGate({ tools: [tool()], hooks: [ending] });
    const ann = { id: "ann", capabilities: ["*"] };
    await gate.dispatch(call(13));
    await gate.dispatch(call(13, { caller: ann }));
    await gate.startTask("s");
    expect(codeOf(await gate.dispatch(call(1)))).toBe("ran");
    expect(codeOf(await gate.dispatch(call(1, { caller: ann })))).toBe("task_ended");
    await gate.startTask("s", "ann");
    expect(codeOf(await gate.dispatch(call(1, { caller: ann })))).toBe("ran");
    await expect(gate.startTask(7 as never)).rejects.toThrow("by its id");
  });

  it("is over for a call that waited for its turn meanwhile", async () => {
    const ran: number[] = [];
    const ended = Promise.withResolvers<void>();
    const write = tool({
      permission: "write",
      run: async (input: unknown) => {
        const { n } = input as { readonly n: number };
        ran.push(n);
        if (n === 2) await ended.promise;
      },
    });
    const { gate } = await paperGate({
      tools: [write],
      hooks: [ending],
      policies: [{ name: "yes", tools: "*", action: "approve" }],
    });
    gate.events.on("task-cancel", () => ended.resolve());
    const outcomes = await Promise.all([13, 2, 3].map((n) => gate.dispatch(call(n))));
    expect(outcomes.map(codeOf)).toEqual(["ran", "ran", "task_ended"]);
    expect(ran).toEqual([13, 2]);
    expect(outcomes[2]).toMatchObject({ error: { stage: "run" } });
  });

  it("is over for a call that was waiting for a person", async () => {
    const { gate } = await paperGate({
      tools: [tool(), tool({ id: "y.run" })],
      hooks: [{ ...ending, toolPatterns: "x.run" }],
      policies: [{ name: "ask", tools: "y.run", action: "ask" }],
      approver: "desk",
    });
    const waiting = gate.dispatch(call(1, { tool: "y.run" }));
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(1);
    await gate.dispatch(call(13));
    const [request] = await gate.approvals.pending();
    await gate.approvals.answer(request?.id ?? "", { decision: "approve", by: "ann" });
    expect(await waiting).toMatchObject({ ok: false, error: { code: "task_ended", stage: "approve" } });
  });

  it("goes on, and the result is withheld, where its end cannot be kept", async () => {
    const { gate } = await paperGate({
      tools: [tool()],
      hooks: [ending],
      store: {
        tasks: { endOf: () => undefined, end: () => Promise.reject(new Error("disk full")), start: () => {} },
      } as never,
    });
    expect(await gate.dispatch(call(13))).toMatchObject({
      ok: false,
      error: { code: "hook_failed", message: expect.stringContaining("disk full") },
      taskEnd: undefined,
    });
  });
});

describe("a turn in which a person denied a call", () => {
  const asking = { name: "ask", tools: "y.run", action: "ask" } as const;
  const tools = () => [tool(), tool({ id: "y.run" })];
  const denying = () => createScriptedApprover([{ decision: "deny", reason: "Not today." }]);
  const denied = (more: Partial<CallRequest> = {}) => call(1, { tool: "y.run", turnId: "m1", ...more });

  it("is over: what follows is refused, though no rule would have asked", async () => {
    const { gate } = await paperGate({ tools: tools(), policies: [asking], approver: denying() });
    expect(codeOf(await gate.dispatch(denied()))).toBe("approval_denied");
    const after = await gate.dispatch(call(1, { turnId: "m1" }));
    expect(after).toMatchObject({
      ok: false,
      error: {
        code: "rejected_with_another",
        stage: "resolve",
        message: expect.stringContaining("Not today."),
      },
    });
  });

  it("says nothing about the next turn, another session, or calls of no turn", async () => {
    const { gate } = await paperGate({ tools: tools(), policies: [asking], approver: denying() });
    await gate.dispatch(denied());
    for (const more of [{ turnId: "m2" }, { turnId: "m1", sessionId: "t" }, {}])
      expect(codeOf(await gate.dispatch(call(1, more))), JSON.stringify(more)).toBe("ran");
  });

  it("needs no session", async () => {
    const { gate } = await paperGate({ tools: tools(), policies: [asking], approver: denying() });
    await gate.dispatch(denied({ sessionId: undefined }));
    const next = call(1, { turnId: "m1", sessionId: undefined });
    expect(codeOf(await gate.dispatch(next))).toBe("rejected_with_another");
  });

  it("goes on where a denial is meant for one call alone", async () => {
    const { gate } = await paperGate({
      tools: tools(),
      policies: [asking],
      approver: denying(),
      approvals: { rejectOthers: false },
    });
    await gate.dispatch(denied());
    expect(codeOf(await gate.dispatch(call(1, { turnId: "m1" })))).toBe("ran");
  });

  it("must have a name that is text", async () => {
    expect(await endOf({ tools: tools() }, call(1, { turnId: 7 as never }))).toBe("bad_call");
  });
});
