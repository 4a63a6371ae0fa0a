/** One call of the past as evidence: what was asked for, what the rules said, and what a person answered. */
import type { AnsweredVia, GrantScope } from "../core/call/approval.ts";
import type { Mode } from "../core/call/call.ts";
import type { RuleRef } from "../core/call/errors.ts";
import type { Verdict } from "../core/call/outcome.ts";
import type { JsonObject } from "../core/input/json.ts";

export interface HistoryCall {
  /** Its row in the ledger. */
  readonly seq: number;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The tool's id, and the name that was asked for. */
  readonly tool: string;
  readonly askedFor: string;
  /** `check`: an agent ran the tool itself, if anybody did. */
  readonly kind: "call" | "check";
  /** As the call was made, before a person changed it. */
  readonly input: JsonObject;
  /** Some of the input was taken out before it was recorded. What it was is never guessed. */
  readonly incomplete?: true;
  readonly cwd: string;
  /** The root of the project that the call was made in. */
  readonly workspace: string;
  readonly mode?: Mode;
  readonly caller: string;
  /** For whom the caller acted. */
  readonly owner?: string;
  readonly session?: string;
  /** Which coding agent, by its own words. */
  readonly agent?: string;
  /** What the rules said: `ask` also where a person then said yes. */
  readonly verdict: Verdict;
  readonly rule?: RuleRef;
  /** Why it did not succeed: an error code. */
  readonly code?: string;
  /** Whether the tool's code ran. That it did is nobody's consent. */
  readonly ran: boolean;
  /** Of the tool when a person was asked. Undefined: nobody knows. */
  readonly definitionHash?: string;
  /** Set when a person was asked. */
  readonly question?: HistoryQuestion;
}

/** A question to a person. Only `approved` and `denied` are answers. */
export interface HistoryQuestion {
  readonly state: "approved" | "denied" | "expired" | "withdrawn" | "open";
  /** Who answered. */
  readonly by?: string;
  /** `elicitation`: that a person was asked is the word of the client that called. */
  readonly via?: AnsweredVia;
  readonly scope?: GrantScope;
  /** A grant of old answered, and no person looked at this call. */
  readonly byGrant?: true;
  /** That grant. */
  readonly grantId?: string;
  /** The input that the person approved instead. */
  readonly editedInput?: JsonObject;
  /** Why it was denied, in the person's words. */
  readonly reason?: string;
  readonly answeredAt?: number;
  readonly secondsToAnswer?: number;
  /** Nobody looked at it: another call of the session was denied. */
  readonly withAnother?: true;
}
