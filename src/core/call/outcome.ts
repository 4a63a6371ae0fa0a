/** What every call ends with, whatever happened: success and refusal have one shape. */

import type { TaskEnd } from "../ports/tasks.ts";
import type { AnsweredVia } from "./approval.ts";
import type { ToolResult } from "./content.ts";
import type { RuleRef, Stage, Stop } from "./errors.ts";

interface OutcomeParts {
  readonly callId: string;
  /** The tool's id once it is known, else the name that was asked for. */
  readonly tool: string;
  /** What to show the model. For a refusal: message and hint. */
  readonly result: ToolResult;
  /** What hooks want the conversation to show. */
  readonly contexts: readonly string[];
  /** The hook that added each of them. */
  readonly contextHooks: readonly string[];
  /** A hook that saw the result ended the task: later calls of the session are refused until a new one starts. */
  readonly taskEnd?: TaskEnd | undefined;
  readonly durationMs: number;
  /** The approval or grant that let it through. */
  readonly approval: ApprovalRef | undefined;
}

export interface ApprovalRef {
  readonly kind: "approval" | "grant";
  readonly id: string;
  readonly by: string;
  /** `elicitation`: the yes came back from the client that asked. */
  readonly via?: AnsweredVia;
}

export interface Success<Out = unknown> extends OutcomeParts {
  readonly ok: true;
  readonly value: Out;
}

export interface Failure extends OutcomeParts {
  readonly ok: false;
  readonly error: Stop;
}

export type Outcome<Out = unknown> = Success<Out> | Failure;

/** `abstain`: no rule speaks; the agent that asked applies its own prompts. */
export type Verdict = "allow" | "ask" | "deny" | "abstain";

/** The answer for an agent that runs the tool itself. */
export interface CheckResult {
  readonly callId: string;
  readonly verdict: Verdict;
  readonly tool: string;
  readonly stage?: Stage;
  readonly rule?: RuleRef;
  readonly message?: string;
  readonly hint?: string;
  readonly error?: Stop;
  /** Set when a route, a hook or a person changed the input: the agent must run this one. */
  readonly input?: unknown;
  readonly contexts: readonly string[];
  readonly approval?: ApprovalRef;
}

/** One line of an explanation. */
export interface Finding {
  readonly stage: Stage;
  readonly finding: string;
  readonly rule?: RuleRef;
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly tool: string;
  readonly stage: Stage;
  readonly rule?: RuleRef;
  readonly source?: string;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly walk: readonly Finding[];
}
