import { describe, expect, it } from "vitest";
import type { Hook } from "../../../../src/index.ts";
import type { TestGateOptions } from "../../../../src/testing/index.ts";
import { codeOf, endOf, messageOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

type Pre = Extract<Hook, { type: "PreToolUse" }>;
const pre = (name: string, run: Pre["run"], more: Partial<Pre> = {}): Pre => ({
  name,
  type: "PreToolUse",
  run,
  ...more,
});
const paramsOf = (event: Parameters<Pre["run"]>[0]) => event.preToolUse.parameters as Record<string, unknown>;
const echo = tool({ roles: {}, run: (args: unknown) => args });

describe("hooks before a call", () => {
  it("run in their order and see who calls what where", async () => {
    const seen: unknown[] = [];
    const { gate } = await paperGate({
      tools: [echo],
      hooks: [pre("a", (event) => void seen.push(["a", event])), pre("b", () => void seen.push("b"))],
    });
    await gate.dispatch({
      tool: "x_run",
      input: { n: 1 },
      sessionId: "s",
      toolUseId: "u",
      cwd: "/workspace/src",
    });
    expect(seen).toEqual([
      [
        "a",
        {
          callId: "call-1",
          calledAs: "x_run",
          sessionId: "s",
          toolUseId: "u",
          cwd: "/workspace/src",
          preToolUse: { toolName: "x.run", parameters: { n: 1 } },
        },
      ],
      "b",
    ]);
  });

  it("run only for the tools they name", async () => {
    const seen: string[] = [];
    const hooks = [
      pre("mine", () => void seen.push("mine"), { toolPatterns: ["x.*", "y"] }),
      pre("other", () => void seen.push("other"), { toolPatterns: "y.*" }),
    ];
    const { gate } = await paperGate({ tools: [echo], hooks });
    await gate.dispatch({ tool: "x.run" });
    expect(seen).toEqual(["mine"]);
  });

  it("join their contexts in order, also on a refused call", async () => {
    const hooks = [
      pre("a", () => "first"),
      pre("b", async () => ({ contextModification: "second" })),
      pre("c", () => ({ contextModification: "third", cancel: true, errorMessage: "Stop here." })),
      pre("d", () => "never"),
    ];
    const { gate } = await paperGate({ tools: [echo], hooks });
    const outcome = await gate.dispatch({ tool: "x.run" });
    expect(outcome.contexts).toEqual(["first", "second", "third"]);
    expect(outcome).toMatchObject({
      error: { code: "hook_cancelled", message: "Stop here.", rule: { kind: "hook", name: "c" } },
    });
  });

  it("keep their contexts when a policy, a limit or a person refuses later", async () => {
    const hooks = [pre("a", () => "look")];
    const denied = await paperGate({
      tools: [echo],
      hooks,
      policies: [{ name: "no", tools: "*", action: "deny" }],
    });
    const limited = await paperGate({ tools: [echo], hooks, limits: [{ name: "no", max: 0, windowMs: 1 }] });
    const asked = await paperGate({
      tools: [echo],
      hooks,
      policies: [{ name: "ask", tools: "*", action: "ask" }],
      answers: ["deny"],
    });
    for (const { gate } of [denied, limited, asked])
      expect((await gate.dispatch({ tool: "x.run" })).contexts).toEqual(["look"]);
    expect((await denied.gate.check({ tool: "x.run" })).contexts).toEqual(["look"]);
  });

  it("stop at the first that cancels, in either spelling", async () => {
    for (const answer of [{ cancel: true }, { wasCancelled: true }]) {
      const { gate } = await paperGate({ tools: [echo], hooks: [pre("a", () => answer)] });
      expect(messageOf(await gate.dispatch({ tool: "x.run" }))).toBe('Hook "a" cancelled this call.');
    }
  });

  it("are passed by nothing, null, an empty object and cancel: false", async () => {
    for (const answer of [undefined, null, {}, { cancel: false }, ""]) {
      const { gate } = await paperGate({ tools: [echo], hooks: [pre("a", () => answer)] });
      expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ ok: true, contexts: [] });
    }
  });
});

describe("a hook that changes the input", () => {
  const setQ = (name: string, q: unknown) => pre(name, () => ({ modifiedParams: { q } }));

  it("changes what runs", async () => {
    const { gate } = await paperGate({ tools: [echo], hooks: [setQ("a", "new")] });
    const outcome = await gate.dispatch({ tool: "x.run", input: { q: "old" } });
    expect(outcome).toMatchObject({ ok: true, value: { q: "new" } });
  });

  const strict = tool({ input: { type: "object", properties: { q: { type: "string" } } } });

  it.for<[string, string, TestGateOptions]>([
    ["has its input validated", "invalid_input", { tools: [strict], hooks: [setQ("a", 7)] }],
    ["may say the same again and again", "ran", { hooks: [setQ("a", "old"), setQ("b", "old")] }],
    [
      "and another that changes it back end in a loop",
      "rewrite_loop",
      { hooks: [setQ("a", "one"), setQ("b", "two")] },
    ],
    [
      "is stopped when it gives a function",
      "hook_failed",
      { hooks: [pre("a", () => ({ modifiedParams: { f: () => 1 } }))] },
    ],
    [
      "is stopped when it gives a cycle",
      "hook_failed",
      { hooks: [pre("a", () => ({ modifiedParams: cycle() }))] },
    ],
  ])("%s: %s", async ([, code, options]) => {
    expect(await endOf({ tools: [echo], ...options }, { input: { q: "old" } })).toBe(code);
  });
});

describe("a hook that asks", () => {
  const asks = pre("careful", () => ({ ask: true, errorMessage: "This one is for a person." }));

  it("makes a question of what would pass, for those who can be asked", async () => {
    const { gate, approver } = await paperGate({
      tools: [echo],
      hooks: [asks],
      answers: ["approve", "deny"],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: {} }))).toBe("ran");
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: {} }))).toBe("approval_denied");
    expect(approver.asked.map(({ reason }) => reason)).toEqual([
      "This one is for a person.",
      "This one is for a person.",
    ]);
  });

  it("is refused where nobody can be asked, and named", async () => {
    const { gate } = await paperGate({ tools: [echo], hooks: [asks] });
    const end = await gate.check({ tool: "x.run", input: {} }, { wait: false });
    expect(end).toMatchObject({ verdict: "ask", rule: { kind: "hook", name: "careful" } });
    const { walk } = await gate.explain({ tool: "x.run", input: {} });
    expect(walk.map(({ finding }) => finding)).toContain("asks: This one is for a person.");
  });

  it("cannot soften a policy that denies", async () => {
    expect(
      await endOf(
        { tools: [echo], hooks: [asks], policies: [{ name: "no", tools: "*", action: "deny" }] },
        { input: {} },
      ),
    ).toBe("policy_denied");
  });

  it("does not ask about the next call that it lets pass", async () => {
    const { gate } = await paperGate({
      tools: [echo],
      hooks: [pre("careful", (event) => ({ ask: paramsOf(event).n === 1 }))],
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: 1 } }))).toBe("no_approver");
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: 2 } }))).toBe("ran");
  });

  it("fails when it says so by anything but true or false", async () => {
    expect(
      await endOf({ tools: [echo], hooks: [pre("odd", () => ({ ask: "yes" }) as never)] }, { input: {} }),
    ).toBe("hook_failed");
  });
});

describe("a hook that fails", () => {
  const ways: [string, Pre["run"]][] = [
    ["throws", throws(new Error("boom"))],
    ["throws undefined", throws(undefined)],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["answers a number", () => 7 as never],
    ["answers a list", () => ["x"] as never],
    ["answers an Error", () => new Error("no!") as never],
    ["answers a Map", () => new Map([["cancel", true]]) as never],
    [
      "answers a class with a getter",
      () =>
        new (class {
          get cancel() {
            return true;
          }
        })() as never,
    ],
    ["answers a date", () => new Date() as never],
    [
      "answers something without a prototype's constructor",
      () => Object.create(Object.create(null)) as never,
    ],
    ["promises an Error", async () => new TypeError("no!") as never],
    ["answers true", async () => true as never],
    ["cancels with a word", () => ({ cancel: "yes" }) as never],
    ["cancels with 1", () => ({ wasCancelled: 1 }) as never],
    ["gives context that is no text", () => ({ contextModification: { a: 1 } }) as never],
    ["gives a message that is no text", () => ({ errorMessage: 5 }) as never],
  ];

  it.each(ways)("because it %s stops the call by default", async (_, run) => {
    const { gate } = await paperGate({ tools: [echo], hooks: [pre("h", run)] });
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({
      error: { code: "hook_failed", stage: "before-hooks", rule: { name: "h" } },
    });
  });

  it.each(ways)("because it %s lets the call pass if it fails open", async (_, run) => {
    expect(await endOf({ tools: [echo], hooks: [pre("h", run, { failMode: "open" })] })).toBe("ran");
  });

  it("because it takes too long is told so and stops the call", async () => {
    let told: AbortSignal | undefined;
    const slow = pre(
      "slow",
      (_, { signal }) => {
        told = signal;
        return new Promise(() => {});
      },
      { timeoutMs: 500 },
    );
    const { gate, clock } = await paperGate({ tools: [echo], hooks: [slow] });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(499);
    expect(told?.aborted).toBe(false);
    await clock.advance(1);
    expect(await call).toMatchObject({
      error: { code: "hook_failed", message: expect.stringContaining("500ms") },
    });
    expect([told?.aborted, clock.waitingTimers]).toEqual([true, 0]);
  });

  it("has ten seconds if it does not say", async () => {
    const { gate, clock } = await paperGate({
      tools: [echo],
      hooks: [pre("slow", () => new Promise(() => {}), { failMode: "open" })],
    });
    const call = gate.dispatch({ tool: "x.run" });
    await clock.advance(10_000);
    expect(codeOf(await call)).toBe("ran");
  });
});

describe("cancelling while a hook looks", () => {
  it("ends the call at once and tells the hook", async () => {
    let told: AbortSignal | undefined;
    const slow = pre("slow", (_, { signal }) => {
      told = signal;
      return new Promise(() => {});
    });
    const { gate, clock } = await paperGate({ tools: [echo], hooks: [slow] });
    const controller = new AbortController();
    const call = gate.dispatch({ tool: "x.run", signal: controller.signal });
    await settle();
    controller.abort();
    expect(await call).toMatchObject({ error: { code: "cancelled", stage: "before-hooks" } });
    expect([told?.aborted, clock.waitingTimers]).toEqual([true, 0]);
  });

  it("waits for a hook that is not cancellable, and then ends", async () => {
    const order: string[] = [];
    let finish = () => {};
    const slow = pre(
      "slow",
      (_, { signal }) => {
        signal.addEventListener("abort", () => order.push("told"));
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      { isCancellable: false },
    );
    const { gate } = await paperGate({ tools: [tool({ run: () => void order.push("ran") })], hooks: [slow] });
    const controller = new AbortController();
    const call = gate
      .dispatch({ tool: "x.run", signal: controller.signal })
      .then((outcome) => order.push(codeOf(outcome)));
    await settle();
    controller.abort();
    await settle();
    order.push("hook ends");
    finish();
    await call;
    expect(order).toEqual(["hook ends", "cancelled"]);
  });
});

it.each([
  [{ type: "BeforeAll" }, /type must be PreToolUse, PostToolUse or OnError, not "BeforeAll"/],
  [{ run: "rm" }, /needs a run function/],
  [{ failMode: "shut" }, /failMode must be closed or open, not "shut"/],
  [{ timeoutMs: 0 }, /timeoutMs must be above 0/],
])("a hook that cannot be used %j is refused with a reason", async (parts, message) => {
  await expect(paperGate({ hooks: [{ ...pre("h", () => {}), ...parts } as never] })).rejects.toThrow(message);
});

function cycle(): unknown {
  const one: Record<string, unknown> = {};
  one.self = one;
  return one;
}
