import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type CallRequest,
  createGate,
  type ErrorCode,
  errorCodes,
  type Gate,
  type Ledger,
  type Outcome,
  StoreError,
} from "../../../src/index.ts";
import { createTestGate, type TestGateOptions } from "../../../src/testing/index.ts";
import { add, createGatedTool, read, write } from "../../tools.ts";
import { throws, tool } from "../paper-gate.ts";

type Meeting = (meet: typeof end) => Promise<Outcome>;

async function end(options: TestGateOptions, request: CallRequest): Promise<Outcome> {
  const { gate } = await createTestGate(options);
  return gate.dispatch(request);
}

async function withLedger(open: Ledger["open"]): Promise<Outcome> {
  const policies = [{ name: "yes", tools: "*", action: "approve" as const }];
  const gate = await createGate({ tools: [write], ledger: { open, close: () => {} }, policies });
  return gate.dispatch(writeCall);
}

async function answered(gate: Gate, decision: "approve" | "deny") {
  const [request] = await gate.approvals.pending();
  await gate.approvals.answer(request?.id ?? "", { decision, by: "ann" });
}

const adding = { tool: "math.add", input: { a: 1, b: 2 } };
const ask = { name: "ask", tools: "*", action: "ask" as const };
const writeCall = { tool: "notes.write", input: { path: "a.txt" } };

/** Each code, met from outside through `gate.dispatch`. */
const meetings: Record<ErrorCode, Meeting> = {
  async gate_closed() {
    const { gate } = await createTestGate({ tools: [add] });
    await gate.close();
    return gate.dispatch(adding);
  },
  bad_call: (meet) => meet({ tools: [add] }, { tool: 7 as unknown as string }),
  input_too_large: (meet) =>
    meet({ tools: [add] }, { tool: "math.add", input: JSON.parse("[".repeat(100) + "]".repeat(100)) }),
  unknown_tool: (meet) => meet({ tools: [add] }, { tool: "math.ad" }),
  async not_accepted() {
    const { gate } = await createTestGate({ tools: [add] });
    gate.tools.withhold("github__get_issue", { message: "It has changed.", hint: "Ask Ann to accept it." });
    return gate.dispatch({ tool: "github__get_issue" });
  },
  route_blocked: (meet) =>
    meet(
      { tools: [read], routes: [{ name: "r", tool: "notes.read", pattern: "secret", message: "Ask Ann." }] },
      { tool: "notes.read", input: { path: "secret.txt" } },
    ),
  route_undecided: (meet) =>
    meet(
      { tools: [read], routes: [{ name: "r", tool: "notes.read", pattern: "^(?=(a+)+$)b", message: "No." }] },
      { tool: "notes.read", input: { path: `${"a".repeat(40)}!b` } },
    ),
  rewrite_loop: (meet) =>
    meet(
      {
        tools: [read],
        routes: [
          { name: "r", tool: "notes.read", pattern: "^(.*)$", action: "rewrite", rewrite: { path: "$1x" } },
        ],
      },
      { tool: "notes.read", input: { path: "a" } },
    ),
  invalid_input: (meet) => meet({ tools: [add] }, { tool: "math.add", input: { a: 1, b: "2" } }),
  hook_cancelled: (meet) =>
    meet(
      {
        tools: [add],
        hooks: [{ name: "h", type: "PreToolUse", run: () => ({ cancel: true, errorMessage: "Not today." }) }],
      },
      adding,
    ),
  async task_ended() {
    const { gate } = await createTestGate({
      tools: [add],
      hooks: [{ name: "h", type: "PostToolUse", run: () => ({ cancel: true }) }],
    });
    const request = { ...adding, sessionId: "s" };
    await gate.dispatch(request);
    return gate.dispatch(request);
  },
  hook_failed: (meet) =>
    meet(
      { tools: [add], hooks: [{ name: "h", type: "PreToolUse", run: throws(new Error("boom")) }] },
      adding,
    ),
  category_disabled: (meet) => meet({ tools: [tool({ category: "shell" })] }, { tool: "x.run" }),
  above_ceiling: (meet) =>
    meet({ tools: [tool({ category: "git", permission: "write" })] }, { tool: "x.run" }),
  missing_capability: (meet) =>
    meet({ tools: [write] }, { ...writeCall, caller: { id: "agent", capabilities: ["fs:read"] } }),
  plan_mode: (meet) => meet({ tools: [write] }, { ...writeCall, mode: "plan" }),
  policy_denied: (meet) =>
    meet(
      {
        tools: [write],
        policies: [{ name: "no", tools: "notes.*", action: "deny", reason: "Read only today." }],
      },
      writeCall,
    ),
  async rate_limited() {
    const { gate } = await createTestGate({
      tools: [add],
      limits: [{ name: "slow", max: 1, windowMs: 60_000 }],
    });
    await gate.dispatch(adding);
    return gate.dispatch(adding);
  },
  async too_many_running() {
    const { tool: slow, started } = createGatedTool();
    const { gate } = await createTestGate({ tools: [slow], limits: [{ name: "one", concurrent: 1 }] });
    const first = gate.dispatch({ tool: "slow.wait" });
    await expect.poll(() => started.length).toBe(1);
    const second = await gate.dispatch({ tool: "slow.wait" });
    started[0]?.();
    await first;
    return second;
  },
  no_approver: (meet) => meet({ tools: [write] }, writeCall),
  async too_many_waiting() {
    const { gate } = await createTestGate({ tools: [write], approver: "desk", approvals: { maxPending: 1 } });
    void gate.dispatch(writeCall);
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(1);
    return gate.dispatch(writeCall);
  },
  approval_denied: (meet) =>
    meet({ tools: [write], answers: [{ decision: "deny", reason: "Use the other file." }] }, writeCall),
  async approval_expired() {
    const { gate, clock } = await createTestGate({
      tools: [write],
      answers: ["never"],
      approvals: { timeoutMs: 1_000 },
    });
    const call = gate.dispatch(writeCall);
    await clock.advance(1_001);
    return call;
  },
  async approval_stale() {
    const { gate } = await createTestGate({ tools: [write], approver: "desk" });
    const call = gate.dispatch(writeCall);
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(1);
    gate.tools.replace({ ...write, description: "Writes a note, and more.", run: () => "evil" });
    await answered(gate, "approve");
    return call;
  },
  async rejected_with_another() {
    const { gate } = await createTestGate({ tools: [write], approver: "desk" });
    const first = gate.dispatch({ ...writeCall, sessionId: "s" });
    const second = gate.dispatch({ tool: "notes.write", input: { path: "b.txt" }, sessionId: "s" });
    await expect.poll(async () => (await gate.approvals.pending()).length).toBe(2);
    await answered(gate, "deny");
    await first;
    return second;
  },
  async cancelled() {
    const { tool: slow, started, signals } = createGatedTool();
    const { gate } = await createTestGate({ tools: [slow] });
    const controller = new AbortController();
    const call = gate.dispatch({ tool: "slow.wait", signal: controller.signal });
    await expect.poll(() => started.length).toBe(1);
    controller.abort();
    const outcome = await call;
    expect(signals[0]?.aborted).toBe(true);
    started[0]?.();
    return outcome;
  },
  async timed_out() {
    const { tool: slow, started, signals } = createGatedTool();
    const { gate, clock } = await createTestGate({ tools: [slow] });
    const call = gate.dispatch({ tool: "slow.wait" });
    await clock.advance(5_001);
    const outcome = await call;
    expect(signals[0]?.aborted).toBe(true);
    started[0]?.();
    return outcome;
  },
  tool_failed: (meet) =>
    meet({ tools: [tool({ run: throws(new Error("no such note")) })] }, { tool: "x.run" }),
  invalid_output: (meet) =>
    meet(
      { tools: [tool({ output: z.object({ n: z.number() }), run: () => ({ n: "one" }) })] },
      { tool: "x.run" },
    ),
  ledger_failed: () => withLedger(throws(new Error("disk full"))),
  store_unavailable: () =>
    withLedger(() => Promise.reject(new StoreError("unavailable", "The database cannot be reached."))),
  async internal_error() {
    const gate = await createGate({
      tools: [add],
      policies: [ask],
      approver: "desk",
      grantStore: {
        add: () => {},
        find: throws(new Error("the store is gone")),
        list: () => [],
        revoke: () => false,
      },
    });
    return gate.dispatch(adding);
  },
};

describe("every way a call can end without success", () => {
  for (const [code, meeting] of Object.entries(meetings) as [ErrorCode, Meeting][]) {
    it(`${code} is met through dispatch with its stage, a message and a hint`, async () => {
      const outcome = await meeting(end);
      if (outcome.ok) throw new Error(`expected ${code}, but the call succeeded`);
      expect(outcome.error.code).toBe(code);
      expect(errorCodes[code].stages).toContain(outcome.error.stage);
      expect(outcome.error.message.length).toBeGreaterThan(5);
      expect(outcome.error.hint.length).toBeGreaterThan(10);
      expect(outcome.result.isError).toBe(true);
    });
  }
});
