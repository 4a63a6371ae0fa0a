import { describe, expect, it } from "vitest";
import {
  type ApprovalDesk,
  type ApprovalRequest,
  type CallRequest,
  createGate,
  type Gate,
  type Rules,
} from "../../../../src/index.ts";
import { createMemoryApprovals } from "../../../../src/stores/memory/memory-approvals.ts";
import { createFakeClock } from "../../../../src/testing/index.ts";
import { codeOf, endOf, messageOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

const write = tool({ permission: "write", roles: {}, run: (args: unknown) => args });
const call = (q = "a", more: Partial<CallRequest> = {}): CallRequest => ({
  tool: "x.run",
  input: { q },
  ...more,
});

async function waiting(gate: Gate, count = 1): Promise<ApprovalRequest[]> {
  await expect.poll(async () => (await gate.approvals.pending()).length, { interval: 1 }).toBe(count);
  return [...(await gate.approvals.pending())];
}

const answered = (
  gate: Gate,
  request: ApprovalRequest | undefined,
  decision: "approve" | "deny" = "approve",
) => gate.approvals.answer(request?.id ?? "", { decision, by: "ann" });

const other = { id: "other", capabilities: ["*"] };

/** Calls, waits for the question, does something meanwhile, answers yes. */
async function approvedAfter(
  change: (gate: Gate) => void | Promise<void>,
  answer: object = {},
  options: object = {},
) {
  const { gate } = await paperGate({ tools: [write], approver: "desk", ...options });
  const outcome = gate.dispatch(call("a", { sessionId: "s" }));
  const [request] = await waiting(gate);
  await change(gate);
  await gate.approvals.answer(request?.id ?? "", { decision: "approve", by: "ann", ...answer });
  return outcome;
}

describe("a question to a person", () => {
  it("shows what would run, who asks, why and until when", async () => {
    const { gate, clock } = await paperGate({
      tools: [{ ...write, title: "Run" }],
      approver: "desk",
      policies: [{ name: "ask", tools: "*", action: "ask", reason: "Prod." }],
      approvals: { timeoutMs: 1_000 },
    });
    void gate.dispatch(
      call("a", { sessionId: "s", toolUseId: "u", caller: { id: "agent", capabilities: ["*"] } }),
    );
    expect(await waiting(gate)).toMatchObject([
      {
        callId: "call-1",
        caller: "agent",
        sessionId: "s",
        toolUseId: "u",
        toolId: "x.run",
        title: "Run",
        input: { q: "a" },
        project: "/workspace",
        reason: "Prod.",
        rule: { name: "ask" },
        createdAt: clock.now(),
        expiresAt: clock.now() + 1_000,
      },
    ]);
    await gate.close();
  });

  it("is announced, and so is its answer", async () => {
    const { gate } = await paperGate({ tools: [write], answers: ["approve"] });
    const seen: unknown[] = [];
    gate.events.on("approval-request", ({ request }) => seen.push(request.toolId));
    gate.events.on("approval-answer", ({ answer }) => seen.push([answer.decision, answer.by]));
    expect(await gate.dispatch(call())).toMatchObject({
      ok: true,
      approval: { kind: "approval", by: "scripted-approver" },
    });
    expect(seen).toEqual(["x.run", ["approve", "scripted-approver"]]);
  });

  it("does not count toward the tool's time-out", async () => {
    const { gate, clock } = await paperGate({ tools: [{ ...write, timeoutMs: 100 }], approver: "desk" });
    const outcome = gate.dispatch(call());
    const [request] = await waiting(gate);
    await clock.advance(5_000);
    await answered(gate, request);
    expect(codeOf(await outcome)).toBe("ran");
  });

  it("is not asked twice for one call, and its answer is taken once", async () => {
    const { gate } = await paperGate({ tools: [write], approver: "desk" });
    const outcome = gate.dispatch(call());
    const [request] = await waiting(gate);
    const answers = await Promise.all([1, 2].map(() => answered(gate, request)));
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    expect(codeOf(await outcome)).toBe("ran");
  });
});

describe("a lasting yes", () => {
  const session = { decision: "approve" as const, scope: "session" as const };
  const inSession = (gate: Gate, q = "a") => gate.dispatch(call(q, { sessionId: "s" }));

  it("once is for that call only", async () => {
    const { gate, approver } = await paperGate({ tools: [write], answers: ["approve"] });
    await gate.dispatch(call());
    await gate.dispatch(call());
    expect([approver.asked.length, await gate.grants.list()]).toEqual([2, []]);
  });

  it.each([
    ["session", { sessionId: "s" }, true],
    ["session", { sessionId: "t" }, false],
    ["session", { sessionId: "s", caller: other }, false],
    ["project", { sessionId: "t" }, true],
    ["user", { sessionId: "t" }, true],
    ["user", { sessionId: "s", caller: other }, false],
  ] as const)("for the %s covers %j: %s", async (scope, more, covers) => {
    const { gate, approver } = await paperGate({
      tools: [write],
      answers: [{ decision: "approve", scope }, "deny"],
    });
    await inSession(gate);
    const again = await gate.dispatch(call("a", more));
    expect([codeOf(again), approver.asked.length]).toEqual(covers ? ["ran", 1] : ["approval_denied", 2]);
    if (covers) expect(again).toMatchObject({ approval: { kind: "grant", by: "scripted-approver" } });
  });

  it("covers the very input, whatever the order of its keys", async () => {
    const { gate } = await paperGate({ tools: [write], answers: [session, "deny"] });
    await gate.dispatch({ tool: "x.run", sessionId: "s", input: { a: 1, b: { c: 2, d: 3 } } });
    const end = async (input: object) =>
      codeOf(await gate.dispatch({ tool: "x.run", sessionId: "s", input }));
    expect(await end({ b: { d: 3, c: 2 }, a: 1 })).toBe("ran");
    expect(await end({ a: 1, b: { c: 2, d: 4 } })).toBe("approval_denied");
  });

  it("covers any input when it is for the tool, except for tools that execute", async () => {
    for (const [permission, expected] of [
      ["write", "ran"],
      ["execute", "approval_denied"],
    ] as const) {
      const { gate } = await paperGate({
        tools: [{ ...write, permission }],
        answers: [{ ...session, covers: "tool" }, "deny"],
      });
      await inSession(gate);
      expect(codeOf(await inSession(gate, "b"))).toBe(expected);
    }
  });

  it("ends when it expires", async () => {
    const { gate, clock } = await paperGate({
      tools: [write],
      answers: [{ ...session, expiresInMs: 1_000 }, "deny"],
    });
    await inSession(gate);
    await clock.advance(999);
    expect(codeOf(await inSession(gate))).toBe("ran");
    await clock.advance(1);
    expect(codeOf(await inSession(gate))).toBe("approval_denied");
  });

  it("ends when it is revoked", async () => {
    const { gate } = await paperGate({ tools: [write], answers: [session, "deny"] });
    await inSession(gate);
    const [grant] = await gate.grants.list();
    expect(grant).toMatchObject({ scope: "session", toolId: "x.run", by: "scripted-approver" });
    expect(await gate.grants.revoke(grant?.id ?? "")).toBe(true);
    expect(codeOf(await inSession(gate))).toBe("approval_denied");
  });

  it.for<[string, string, (gate: Gate) => unknown]>([
    [
      "ends when the tool's definition changes",
      "approval_denied",
      (gate) => gate.tools.replace({ ...write, description: "Other." }),
    ],
    [
      "does not lift a deny",
      "policy_denied",
      (gate) => gate.setRules({ policies: [{ name: "no", tools: "*", action: "deny" }] }),
    ],
  ])("%s: %s", async ([, code, change]) => {
    const { gate } = await paperGate({ tools: [write], answers: [session, "deny"] });
    await inSession(gate);
    await change(gate);
    expect(codeOf(await inSession(gate))).toBe(code);
  });

  it("to an edited input covers the edited one and not the one asked for", async () => {
    const { gate } = await paperGate({
      tools: [write],
      answers: [{ ...session, input: { q: "b" } }, "deny"],
    });
    expect(await inSession(gate)).toMatchObject({ ok: true, value: { q: "b" } });
    expect(codeOf(await inSession(gate, "b"))).toBe("ran");
    expect(codeOf(await inSession(gate))).toBe("approval_denied");
  });
});

describe("an answer by the one who asked", () => {
  it("is refused, and the call goes on waiting", async () => {
    const { gate } = await paperGate({ tools: [write], approver: "desk" });
    const outcome = gate.dispatch(call("a", { caller: { id: "agent", capabilities: ["*"] } }));
    const [request] = await waiting(gate);
    expect(
      await gate.approvals.answer(request?.id ?? "", { decision: "approve", by: "agent" }),
    ).toMatchObject({ ok: false, code: "self_approval" });
    await answered(gate, request, "deny");
    expect(codeOf(await outcome)).toBe("approval_denied");
  });

  it("is a no when it comes from the gate's approver", async () => {
    const { gate } = await paperGate({
      tools: [write],
      approver: { name: "agent", ask: () => ({ decision: "approve" }) },
    });
    const outcome = await gate.dispatch(call("a", { caller: { id: "agent", capabilities: ["*"] } }));
    expect([codeOf(outcome), messageOf(outcome)]).toEqual([
      "approval_denied",
      expect.stringContaining("cannot answer it"),
    ]);
  });
});

describe("an edited input", () => {
  const edited = { input: { q: "edited" } };

  const hook = (run: (parameters: unknown) => object | undefined) => ({
    hooks: [
      {
        name: "h",
        type: "PreToolUse" as const,
        run: ({ preToolUse }: { preToolUse: { parameters: unknown } }) => run(preToolUse.parameters),
      },
    ],
  });
  const isEdited = (parameters: unknown) => JSON.stringify(parameters).includes("edited");
  const denied = { type: "argument", field: "q", operator: "equals", value: "edited" };

  it.for<[string, object, string]>([
    [
      "is routed",
      { routes: [{ name: "r", tool: "*", field: "q", pattern: "edited", message: "No." }] },
      "route_blocked",
    ],
    ["is shown to the hooks", hook((given) => ({ cancel: isEdited(given) })), "hook_cancelled"],
    [
      "is judged by the policies",
      { policies: [{ name: "no", tools: "*", action: "deny", conditions: [denied] }] },
      "policy_denied",
    ],
    [
      "that a hook would change again is not run: nobody approved that",
      hook((given) => (isEdited(given) ? { modifiedParams: { q: "worse" } } : undefined)),
      "approval_stale",
    ],
  ])("%s", async ([, options, code]) => {
    expect(codeOf(await approvedAfter(() => {}, edited, options))).toBe(code);
  });

  it("is validated", async () => {
    const strict = {
      ...write,
      input: { type: "object" as const, properties: { q: { type: "string" as const } } },
    };
    expect(codeOf(await approvedAfter(() => {}, { input: { q: 7 } }, { tools: [strict] }))).toBe(
      "invalid_input",
    );
  });

  it("that is no data is refused", async () => {
    expect(
      await endOf({ tools: [write], answers: [{ decision: "approve", input: { f: () => 1 } }] }, call()),
    ).toBe("approval_denied");
  });
});

describe("while a person thinks", () => {
  const ruled = (rules: Rules) => async (gate: Gate) => void (await gate.setRules(rules));
  const route = { name: "r", tool: "*", field: "q", pattern: "a", message: "No." };

  it.for<[string, (gate: Gate) => void | Promise<void>, string]>([
    [
      "a deny that is added wins",
      ruled({ policies: [{ name: "no", tools: "*", action: "deny" }] }),
      "policy_denied",
    ],
    ["a route that is added wins", ruled({ routes: [route] }), "route_blocked"],
    [
      "a category that is switched off stays off",
      (gate) => gate.categories.disable("custom"),
      "category_disabled",
    ],
    ["a tool that is removed is gone", (gate) => void gate.tools.unregister("x.run"), "approval_stale"],
    [
      "a tool with other code but the same words is another tool",
      (gate) => gate.tools.replace({ ...write, run: () => "other" }),
      "approval_stale",
    ],
    ["an alias that is added changes nothing", (gate) => gate.tools.alias("other", "x.run"), "ran"],
    [
      "an approval by rule that is added changes nothing: the yes counts",
      ruled({ policies: [{ name: "yes", tools: "*", action: "approve" }] }),
      "ran",
    ],
  ])("%s", async ([, change, code]) => {
    expect(codeOf(await approvedAfter(change))).toBe(code);
  });

  it("the caller may leave, and the question is withdrawn", async () => {
    const { gate, clock } = await paperGate({ tools: [write], approver: "desk" });
    const controller = new AbortController();
    const outcome = gate.dispatch(call("a", { signal: controller.signal }));
    const [request] = await waiting(gate);
    controller.abort();
    expect(await outcome).toMatchObject({ error: { code: "cancelled", stage: "approve" } });
    expect(await gate.approvals.pending()).toEqual([]);
    expect((await answered(gate, request)).ok).toBe(false);
    expect(clock.waitingTimers).toBe(0);
  });

  it("the gate may close, which ends the call", async () => {
    const { gate } = await paperGate({ tools: [write], approver: "desk" });
    const outcome = gate.dispatch(call());
    await waiting(gate);
    await gate.close();
    expect(codeOf(await outcome)).toBe("cancelled");
  });
});

describe("a no", () => {
  it.each([
    [true, "rejected_with_another"],
    [false, "ran"],
  ])("with rejectOthers %s makes another call of the session end as %s", async (rejectOthers, expected) => {
    const { gate } = await paperGate({ tools: [write], approver: "desk", approvals: { rejectOthers } });
    const first = gate.dispatch(call("a", { sessionId: "s" }));
    const second = gate.dispatch(call("b", { sessionId: "s" }));
    const [one, two] = await waiting(gate, 2);
    await gate.approvals.answer(one?.id ?? "", { decision: "deny", by: "ann", reason: "Wrong plan." });
    await gate.approvals.answer(two?.id ?? "", { decision: "approve", by: "ann" });
    expect([codeOf(await first), codeOf(await second)]).toEqual(["approval_denied", expected]);
    if (rejectOthers) expect(messageOf(await second)).toContain("Wrong plan.");
  });

  it("leaves calls of other sessions and other callers waiting", async () => {
    const { gate } = await paperGate({ tools: [write], approver: "desk" });
    const first = gate.dispatch(call("a", { sessionId: "s" }));
    const others = [
      gate.dispatch(call("b", { sessionId: "t" })),
      gate.dispatch(call("c", { sessionId: "s", caller: other })),
      gate.dispatch(call("d")),
    ];
    const [one] = await waiting(gate, 4);
    await gate.approvals.answer(one?.id ?? "", { decision: "deny", by: "ann" });
    await first;
    for (const request of await waiting(gate, 3))
      await gate.approvals.answer(request.id, { decision: "approve", by: "ann" });
    expect((await Promise.all(others)).map(codeOf)).toEqual(["ran", "ran", "ran"]);
  });
});

describe("an approver that breaks", () => {
  it.each([
    ["throws", throws(new Error("gone"))],
    ["rejects", () => Promise.reject(new Error("gone"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["answers nothing", () => undefined],
    ["answers a number", () => 7],
    ["answers yes in other words", () => ({ decision: "yes" })],
    ["answers true", () => ({ decision: true })],
    ["answers for somebody else", () => ({ decision: "approve", scope: "everybody" })],
  ])("because it %s has not said yes", async (_, ask) => {
    const { gate } = await paperGate({ tools: [write], approver: { name: "broken", ask: ask as never } });
    expect(codeOf(await gate.dispatch(call()))).toBe("approval_denied");
    expect(await gate.approvals.pending()).toEqual([]);
  });

  it("because it never answers ends with the question, and is told", async () => {
    let told: AbortSignal | undefined;
    const approver = {
      name: "slow",
      ask: (_: unknown, { signal }: { signal: AbortSignal }) => {
        told = signal;
        return new Promise<never>(() => {});
      },
    };
    const { gate, clock } = await paperGate({ tools: [write], approver, approvals: { timeoutMs: 1_000 } });
    const outcome = gate.dispatch(call());
    await settle();
    await clock.advance(1_000);
    expect(codeOf(await outcome)).toBe("approval_expired");
    expect(told?.aborted).toBe(true);
  });

  it("cannot say who it is: the gate does", async () => {
    const { gate } = await paperGate({
      tools: [write],
      approver: { name: "bot", ask: () => ({ decision: "approve", by: "the boss" }) as never },
    });
    expect(await gate.dispatch(call())).toMatchObject({ ok: true, approval: { by: "bot" } });
  });
});

it.each(["find", "add"] as const)("a store of grants that breaks in %s stops the call", async (method) => {
  const grantStore = {
    find: () => undefined,
    add: () => {},
    list: () => [],
    revoke: () => false,
    [method]: () => Promise.reject(new Error("gone")),
  };
  expect(
    await endOf({ tools: [write], grantStore, answers: [{ decision: "approve", scope: "user" }] }, call()),
  ).toBe("internal_error");
});

describe("a desk that breaks", () => {
  const desk = (broken: Partial<ApprovalDesk>): ApprovalDesk => ({
    open: () => true,
    wait: () => new Promise(() => {}),
    answer: () => ({ ok: true }),
    claim: () => true,
    done: () => {},
    withdraw: () => {},
    pending: () => [],
    close: () => {},
    ...broken,
  });
  const gone = () => Promise.reject(new Error("gone"));
  const yes = async () => ({
    state: "approved" as const,
    answer: { decision: "approve" as const, by: "ann" },
  });
  const approver = { name: "bot", ask: () => ({ decision: "approve" as const }) };

  it.each([
    ["open", { open: gone }],
    ["wait", { wait: gone }],
    ["answer", { answer: gone }],
    ["claim", { wait: yes, claim: gone }],
  ])("in %s stops the call", async (_, broken) => {
    let ran = 0;
    const counted = tool({ permission: "write", roles: {}, run: () => ++ran });
    const { gate } = await paperGate({ tools: [counted], approver, approvalDesk: desk(broken) });
    expect(codeOf(await gate.dispatch(call()))).toBe("internal_error");
    expect(ran).toBe(0);
  });

  it("in withdraw still lets a cancelled call end", async () => {
    const stopping = new AbortController();
    const { gate } = await paperGate({
      tools: [write],
      approver: "desk",
      approvalDesk: desk({ withdraw: gone }),
    });
    const outcome = gate.dispatch(call("a", { signal: stopping.signal }));
    await settle();
    stopping.abort();
    expect(codeOf(await outcome)).toBe("cancelled");
  });

  it("in done leaves the outcome as it is", async () => {
    const { gate } = await paperGate({
      tools: [write],
      approver: "desk",
      approvalDesk: desk({ wait: yes, done: gone }),
    });
    expect(await gate.dispatch(call())).toMatchObject({ ok: true, approval: { by: "ann" } });
  });

  it("is told when the call that was approved has ended, and not before", async () => {
    const told: string[] = [];
    const counted = tool({ permission: "write", roles: {}, run: () => told.push("ran") });
    const { gate } = await paperGate({
      tools: [counted],
      approver: "desk",
      approvalDesk: desk({ wait: yes, done: () => void told.push("done") }),
    });
    await gate.dispatch(call());
    expect(told).toEqual(["ran", "done"]);
  });
});

it("a gate with a desk of one's own is not made with an object that is no desk, nor with options that only the desk in memory has", async () => {
  await expect(createGate({ approvalDesk: { open: () => true } as never })).rejects.toThrow(
    "approvalDesk must be an object with open, wait, answer",
  );
  const approvalDesk = createMemoryApprovals({ clock: createFakeClock(), hashInput: () => "" });
  for (const approvals of [{ rejectOthers: false }, { maxPending: 1 }])
    await expect(createGate({ approvalDesk, approvals })).rejects.toThrow(
      "tell openStore or your approvalDesk",
    );
  await (await createGate({ approvalDesk, approvals: { timeoutMs: 5 } })).close();
});
