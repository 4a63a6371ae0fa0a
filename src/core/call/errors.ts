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

const entries = {
  gate_closed: {
    stages: ["resolve"],
    meaning: "The gate has been closed.",
    hint: "Create a new gate before calling tools.",
  },
  bad_call: {
    stages: ["resolve"],
    meaning: "The call itself is malformed (no tool name, or an input that is not plain JSON).",
    hint: "Send a tool name and a JSON object as input.",
  },
  input_too_large: {
    stages: ["resolve"],
    meaning: "The input is too deep, has too many keys or is too large.",
    hint: "Send less at once: write large content to a file and pass its path.",
  },
  unknown_tool: {
    stages: ["resolve"],
    meaning: "No tool has this name.",
    hint: "List the tools and use one of their names.",
  },
  not_accepted: {
    stages: ["resolve", "run"],
    meaning: "The definition of this upstream tool is new or has changed, and nobody has accepted it.",
    hint: "A person can look at it and accept it: toolgate upstreams review.",
  },
  task_ended: {
    stages: ["resolve", "approve", "run"],
    meaning: "A hook ended the task of this session.",
    hint: "Stop here and tell the person why; their next message starts a new task.",
  },
  route_blocked: {
    stages: ["route"],
    meaning: "A route refuses this call.",
    hint: "Do what the route's message says instead.",
  },
  route_undecided: {
    stages: ["route"],
    meaning: "A route's pattern took too long on this input, so it counts as a match.",
    hint: "Shorten the input, or simplify the route's pattern.",
  },
  rewrite_loop: {
    stages: ["route", "before-hooks"],
    meaning: "Rewrites kept changing the input and never settled.",
    hint: "Make the named routes and hooks leave their own result unchanged.",
  },
  invalid_input: {
    stages: ["validate"],
    meaning: "The input does not fit the tool's schema.",
    hint: "Correct the named fields and call again.",
  },
  hook_cancelled: {
    stages: ["before-hooks"],
    meaning: "A hook cancelled the call.",
    hint: "Follow the hook's message; the same call will be cancelled again.",
  },
  hook_failed: {
    stages: ["before-hooks", "after-hooks"],
    meaning: "A hook crashed, timed out or answered nonsense, and it fails closed.",
    hint: "Repair the hook, or set its failMode to open if it only observes.",
  },
  category_disabled: {
    stages: ["permit"],
    meaning: "The tool's category is switched off.",
    hint: "Ask the operator to enable the category.",
  },
  above_ceiling: {
    stages: ["permit"],
    meaning: "The tool needs more than its category's permission ceiling.",
    hint: "Ask the operator to raise the category's ceiling: in the configuration by tools.ceilings, such as { code: execute }.",
  },
  missing_capability: {
    stages: ["permit"],
    meaning: "The caller lacks a capability that the tool needs.",
    hint: "Use a caller that has the capability, or another tool.",
  },
  plan_mode: {
    stages: ["permit"],
    meaning: "Plan mode allows reading only.",
    hint: "Finish the plan; switch to act mode before changing anything.",
  },
  policy_denied: {
    stages: ["permit"],
    meaning: "A policy, or the default for protected files, denies this call.",
    hint: "Choose another way; a person can change the policy.",
  },
  rate_limited: {
    stages: ["limit"],
    meaning: "Too many calls in the limit's window.",
    hint: "Wait for the time given in retryAfterMs, then call again.",
  },
  too_many_running: {
    stages: ["limit"],
    meaning: "Too many of these calls run at the same time.",
    hint: "Wait until a running call ends, then call again.",
  },
  no_approver: {
    stages: ["approve"],
    meaning: "The call needs a person's approval and nobody can be asked.",
    hint: "Run it where a person can be asked (at a terminal, with toolgate serve, with an approver in a program), or have a person write a policy that approves this call.",
  },
  too_many_waiting: {
    stages: ["approve"],
    meaning: "Too many calls wait for a person already, or too many of this caller.",
    hint: "Wait until some of them are answered.",
  },
  approval_denied: {
    stages: ["approve"],
    meaning: "A person denied the call.",
    hint: "Read the reason; do not repeat the call unchanged.",
  },
  approval_expired: {
    stages: ["approve"],
    meaning: "Nobody answered before the approval expired.",
    hint: "Call again when a person is there to answer.",
  },
  approval_stale: {
    stages: ["approve"],
    meaning:
      "What was approved is not what would run now: the tool or the input changed, or the caller may not make the call any more.",
    hint: "Call again so that the person sees the current call.",
  },
  rejected_with_another: {
    stages: ["resolve", "approve", "run"],
    meaning:
      "A person denied another call, which rejects those of the same session that still wait and those that follow in the same turn.",
    hint: "Reconsider the plan before asking again.",
  },
  cancelled: {
    stages: stages,
    meaning: "The caller cancelled the call.",
    hint: "Nothing to do; call again if still wanted.",
  },
  timed_out: {
    stages: ["run"],
    meaning: "The tool did not finish within its time-out.",
    hint: "Ask for less at once, or raise the tool's timeoutMs.",
  },
  tool_failed: {
    stages: ["run"],
    meaning: "The tool ran and failed.",
    hint: "Read the message, correct the input, try again.",
  },
  invalid_output: {
    stages: ["run"],
    meaning: "The tool returned something that its output schema does not allow.",
    hint: "Report it to the tool's author; the call may have had its effect.",
  },
  ledger_failed: {
    stages: ["ledger"],
    meaning: "The ledger could not record the call.",
    hint: "Check the store's disk and permissions; nothing runs without a record.",
  },
  store_unavailable: {
    stages: ["ledger"],
    meaning:
      "The store cannot be reached now, and nothing runs without a record: the call did not run, or only read.",
    hint: "Wait for the time given in retryAfterMs, then call again: toolgate connects by itself when the store is back.",
  },
  internal_error: {
    stages: stages,
    meaning: "A part of the gate broke; the call was stopped to be safe.",
    hint: "Report it with the message; the call can be tried again.",
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof entries;

export const errorCodes: { readonly [Code in ErrorCode]: ErrorCodeEntry } = entries;

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
