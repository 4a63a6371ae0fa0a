/** The closed list of ways a call can end without success, and the value that carries one: `Stop`. */

import type { ValidationIssue } from "../tool/schema.ts";
import type { ApprovalRef } from "./outcome.ts";

export const stages = [
  "resolve",
  "route",
  "validate",
  "before-hooks",
  "permit",
  "limit",
  "approve",
  "run",
  "after-hooks",
  "ledger",
] as const;

export type Stage = (typeof stages)[number];

interface ErrorCodeEntry {
  readonly stages: readonly Stage[];
  readonly meaning: string;
  /** What the caller can do about it; a stop may carry a better one. */
  readonly hint: string;
}

const entry = (where: Stage | readonly Stage[], meaning: string, hint: string): ErrorCodeEntry => ({
  stages: typeof where === "string" ? [where] : where,
  meaning,
  hint,
});

export const errorCodes = {
  gate_closed: entry("resolve", "The gate has been closed.", "Create a new gate before calling tools."),
  bad_call: entry(
    "resolve",
    "The call itself is malformed (no tool name, or an input that is not plain JSON).",
    "Send a tool name and a JSON object as input.",
  ),
  input_too_large: entry(
    "resolve",
    "The input is too deep, has too many keys or is too large.",
    "Send less at once: write large content to a file and pass its path.",
  ),
  unknown_tool: entry("resolve", "No tool has this name.", "List the tools and use one of their names."),
  not_accepted: entry(
    ["resolve", "run"],
    "The definition of this upstream tool is new or has changed, and nobody has accepted it.",
    "A person can look at it and accept it: toolgate upstreams review.",
  ),
  task_ended: entry(
    ["resolve", "approve", "run"],
    "A hook ended the task of this session.",
    "Stop here and tell the person why; their next message starts a new task.",
  ),
  route_blocked: entry("route", "A route refuses this call.", "Do what the route's message says instead."),
  route_undecided: entry(
    "route",
    "A route's pattern took too long on this input, so it counts as a match.",
    "Shorten the input, or simplify the route's pattern.",
  ),
  rewrite_loop: entry(
    ["route", "before-hooks"],
    "Rewrites kept changing the input and never settled.",
    "Make the named routes and hooks leave their own result unchanged.",
  ),
  invalid_input: entry(
    "validate",
    "The input does not fit the tool's schema.",
    "Correct the named fields and call again.",
  ),
  hook_cancelled: entry(
    "before-hooks",
    "A hook cancelled the call.",
    "Follow the hook's message; the same call will be cancelled again.",
  ),
  hook_failed: entry(
    ["before-hooks", "after-hooks"],
    "A hook crashed, timed out or answered nonsense, and it fails closed.",
    "Repair the hook, or set its failMode to open if it only observes.",
  ),
  category_disabled: entry(
    "permit",
    "The tool's category is switched off.",
    "Ask the operator to enable the category.",
  ),
  above_ceiling: entry(
    "permit",
    "The tool needs more than its category's permission ceiling.",
    "Ask the operator to raise the category's ceiling: in the configuration by tools.ceilings, such as { code: execute }.",
  ),
  missing_capability: entry(
    "permit",
    "The caller lacks a capability that the tool needs.",
    "Use a caller that has the capability, or another tool.",
  ),
  plan_mode: entry(
    "permit",
    "Plan mode allows reading only.",
    "Finish the plan; switch to act mode before changing anything.",
  ),
  policy_denied: entry(
    "permit",
    "A policy, or the default for protected files, denies this call.",
    "Choose another way; a person can change the policy.",
  ),
  rate_limited: entry(
    "limit",
    "Too many calls in the limit's window.",
    "Wait for the time given in retryAfterMs, then call again.",
  ),
  too_many_running: entry(
    "limit",
    "Too many of these calls run at the same time.",
    "Wait until a running call ends, then call again.",
  ),
  no_approver: entry(
    "approve",
    "The call needs a person's approval and nobody can be asked.",
    "Run it where a person can be asked (at a terminal, with toolgate serve, with an approver in a program), or have a person write a policy that approves this call.",
  ),
  too_many_waiting: entry(
    "approve",
    "Too many calls wait for a person already, or too many of this caller.",
    "Wait until some of them are answered.",
  ),
  approval_denied: entry(
    "approve",
    "A person denied the call.",
    "Read the reason; do not repeat the call unchanged.",
  ),
  approval_expired: entry(
    "approve",
    "Nobody answered before the approval expired.",
    "Call again when a person is there to answer.",
  ),
  approval_stale: entry(
    "approve",
    "What was approved is not what would run now: the tool or the input changed, or the caller may not make the call any more.",
    "Call again so that the person sees the current call.",
  ),
  rejected_with_another: entry(
    ["resolve", "approve", "run"],
    "A person denied another call, which rejects those of the same session that still wait and those that follow in the same turn.",
    "Reconsider the plan before asking again.",
  ),
  cancelled: entry(stages, "The caller cancelled the call.", "Nothing to do; call again if still wanted."),
  timed_out: entry(
    "run",
    "The tool did not finish within its time-out.",
    "Ask for less at once, or raise the tool's timeoutMs.",
  ),
  tool_failed: entry("run", "The tool ran and failed.", "Read the message, correct the input, try again."),
  invalid_output: entry(
    "run",
    "The tool returned something that its output schema does not allow.",
    "Report it to the tool's author; the call may have had its effect.",
  ),
  ledger_failed: entry(
    "ledger",
    "The ledger could not record the call.",
    "Check the store's disk and permissions; nothing runs without a record.",
  ),
  store_unavailable: entry(
    "ledger",
    "The store cannot be reached now, and nothing runs without a record: the call did not run, or only read.",
    "Wait for the time given in retryAfterMs, then call again: toolgate connects by itself when the store is back.",
  ),
  internal_error: entry(
    stages,
    "A part of the gate broke; the call was stopped to be safe.",
    "Report it with the message; the call can be tried again.",
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** Which rule decided, and where it is written. */
export interface RuleRef {
  readonly kind: "route" | "policy" | "limit" | "hook" | "grant" | "default";
  readonly name: string;
  readonly tier?: string;
  readonly source?: RuleSource;
}

export interface RuleSource {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface StopDetails {
  readonly hint?: string | undefined;
  readonly rule?: RuleRef | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly issues?: readonly ValidationIssue[] | undefined;
  /** The person's answer that stopped it. */
  readonly approval?: ApprovalRef | undefined;
  /** For people and logs, never for control flow: what was thrown. */
  readonly cause?: unknown;
}

/** The end of a walk before success. A value, never thrown. */
export class Stop {
  readonly ok = false as const;
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly message: string;
  readonly hint: string;
  readonly rule: RuleRef | undefined;
  readonly retryAfterMs: number | undefined;
  readonly issues: readonly ValidationIssue[] | undefined;
  readonly approval: ApprovalRef | undefined;
  readonly #cause: unknown;

  constructor(code: ErrorCode, stage: Stage, message: string, details: StopDetails = {}) {
    this.code = code;
    this.stage = stage;
    this.message = message;
    this.hint = details.hint ?? errorCodes[code].hint;
    this.rule = details.rule;
    this.retryAfterMs = details.retryAfterMs;
    this.issues = details.issues;
    this.approval = details.approval;
    this.#cause = details.cause;
  }

  get cause(): unknown {
    return this.#cause;
  }

  toJSON(): Record<string, unknown> {
    const { code, stage, message, hint, rule, retryAfterMs, issues, approval } = this;
    return { code, stage, message, hint, rule, retryAfterMs, issues, approval };
  }
}

/** Wrong configuration or wrong use of the library: thrown, because no call is involved. */
export class ToolgateError extends Error {
  override readonly name = "ToolgateError";
}

export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (typeof thrown === "object" && thrown !== null && !Object.hasOwn(thrown, "toString")) {
      const text = JSON.stringify(thrown);
      if (text !== undefined && text !== "{}") return text;
    }
    return typeof thrown === "string" ? thrown : String(thrown);
  } catch {
    // A thrown object whose toString throws must not break the walk that reports it.
    return "something that cannot be printed was thrown";
  }
}
