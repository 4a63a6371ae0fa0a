/** A person's say in a call: the request they see, the answer they give, and the grant that may remain. */

import type { JsonObject } from "../input/json.ts";
import type { AskingAgent } from "./asking-agent.ts";
import type { RuleRef } from "./errors.ts";

/** What an answer is bound to. If any of it differs when the call would run, the answer does not count. */
export interface ApprovalBinding {
  readonly caller: string;
  readonly toolId: string;
  readonly definitionHash: string;
  readonly inputHash: string;
  /** Of what the input means on this machine, and of the rule that asks. */
  readonly meaningHash: string;
  /** Set: the rules under which the question was asked. The walk decides again by today's instead. */
  readonly policyVersion?: number;
}

/** What the input of a call means on this machine, as it was when the person was asked. */
export interface Meaning {
  /** Where its paths lead, links followed. */
  readonly paths: readonly {
    readonly path: string;
    readonly inside: boolean;
    /** Why the path is off limits unless a rule names it. */
    readonly protected?: string;
  }[];
  /** Which files its commands are, links followed; none for one that is not there. */
  readonly programs: readonly { readonly name: string; readonly files: readonly string[] }[];
}

export interface ApprovalRequest extends ApprovalBinding {
  readonly id: string;
  readonly callId: string;
  readonly sessionId: string | undefined;
  readonly toolUseId: string | undefined;
  /** Set when an agent runs the tool itself. */
  readonly agent?: AskingAgent | undefined;
  /** The workspace root that `project` grants hold for. */
  readonly project: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly meaning: Meaning;
  readonly policyVersion: number;
  /** Why it asks, and which rule made it. */
  readonly reason: string;
  readonly rule: RuleRef | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const grantScopes = ["once", "session", "project", "user"] as const;

/** How long a yes holds: this call, this session, or always (in this project, or for this caller). */
export type GrantScope = (typeof grantScopes)[number];

export type AnsweredVia = "elicitation";

export interface ApprovalAnswer {
  readonly decision: "approve" | "deny";
  /** Who answers; never the caller that asked. */
  readonly by: string;
  /** `elicitation`: the asking client showed the question to its person. That it did is the client's word. */
  readonly via?: AnsweredVia;
  readonly scope?: GrantScope;
  /** What a lasting yes covers: this very input (default), or any input of the tool. */
  readonly covers?: "input" | "tool";
  /** A lasting yes ends after this time. */
  readonly expiresInMs?: number;
  /** Approve this input instead of the one asked for. */
  readonly input?: unknown;
  /** Shown to the model on a denial. */
  readonly reason?: string;
}

export type ApprovalEnd =
  | { readonly state: "approved"; readonly answer: ApprovalAnswer }
  | { readonly state: "denied"; readonly answer: ApprovalAnswer; readonly becauseOf?: string }
  | { readonly state: "expired" }
  | { readonly state: "withdrawn" };

export type AnswerResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code:
        | "unknown"
        | "already_answered"
        | "expired"
        | "withdrawn"
        | "self_approval"
        | "bad_answer";
      readonly message: string;
      /** Whose answer counts instead. */
      readonly winner?: { readonly by: string; readonly decision: "approve" | "deny" };
    };

/** Keeps what waits for an answer. Every answer passes `answer`, wherever the person sits. */
export interface ApprovalDesk {
  /** A denial also rejects what else waits in the session, and what follows in the turn. Default: true. */
  readonly rejectsOthers?: boolean;
  /** False when too many wait already. */
  open(request: ApprovalRequest): boolean | Promise<boolean>;
  /** Settles when somebody answers, the request expires, or the call is cancelled. */
  wait(id: string): Promise<ApprovalEnd>;
  answer(id: string, answer: ApprovalAnswer): AnswerResult | Promise<AnswerResult>;
  /** Uses an approval up. True once, and only for exactly what was approved. */
  claim(id: string, binding: ApprovalBinding): boolean | Promise<boolean>;
  /** The call that claimed it has ended. One that never does, because its process died, stays `unknown`. */
  done(id: string): void | Promise<void>;
  withdraw(id: string): void | Promise<void>;
  pending(): readonly ApprovalRequest[] | Promise<readonly ApprovalRequest[]>;
  close(): void | Promise<void>;
}

/** Somebody who can be asked: a prompt on a terminal, an elicitation, a chat message, a script in a test. */
export interface Approver {
  readonly name: string;
  /** How the answers come; the record says it. */
  readonly via?: AnsweredVia | undefined;
  ask(
    request: ApprovalRequest,
    context: { readonly signal: AbortSignal },
  ): Promise<Omit<ApprovalAnswer, "by">> | Omit<ApprovalAnswer, "by">;
}

export interface Grant {
  readonly id: string;
  readonly scope: Exclude<GrantScope, "once">;
  readonly caller: string;
  readonly sessionId: string | undefined;
  readonly project: string | undefined;
  readonly toolId: string;
  readonly definitionHash: string;
  /** Absent when the grant covers any input of the tool. */
  readonly inputHash: string | undefined;
  /** Of what the input meant and which rule asked; of the rule alone where the grant covers any input. */
  readonly meaningHash: string;
  readonly by: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

export interface GrantQuery extends Omit<ApprovalBinding, "inputHash" | "meaningHash"> {
  readonly sessionId: string | undefined;
  readonly project: string;
  /** Computed only if some grant needs it. */
  readonly inputHash: () => string;
  /** One for this place, one for the same place in any project, one for the tool. Computed when needed. */
  readonly meaningHashes: () => readonly string[];
  readonly now: number;
  /** Only a grant for this input counts: what asks (a path outside, an opaque command) is in the input. */
  readonly exactOnly: boolean;
}

export interface GrantStore {
  add(grant: Grant): void | Promise<void>;
  find(query: GrantQuery): Grant | undefined | Promise<Grant | undefined>;
  list(): readonly Grant[] | Promise<readonly Grant[]>;
  /** `by`: who takes it back, for the record. */
  revoke(id: string, by?: string): boolean | Promise<boolean>;
}
