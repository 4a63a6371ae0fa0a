/** A person's say in a call: the request they see, the answer they give, and the grant that may remain. */
import type { RuleRef } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** What an answer is bound to. If any of it differs when the call would run, the answer does not count. */
export interface ApprovalBinding {
  readonly principal: string;
  readonly toolId: string;
  readonly definitionHash: string;
  readonly inputHash: string;
  /** Given: the very rules the question was asked under. The walk leaves it out, because it decides again by today's rules. */
  readonly policyVersion?: number;
}

export interface ApprovalRequest extends ApprovalBinding {
  readonly id: string;
  readonly callId: string;
  readonly sessionId: string | undefined;
  readonly toolUseId: string | undefined;
  /** The workspace root that `project` grants hold for. */
  readonly project: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly policyVersion: number;
  /** Why it asks, and which rule made it. */
  readonly reason: string;
  readonly rule: RuleRef | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const grantScopes = ["once", "session", "project", "user"] as const;

/** How long a yes holds: this call, this session, or always (in this project, or for this principal everywhere). */
export type GrantScope = (typeof grantScopes)[number];

export interface ApprovalAnswer {
  readonly decision: "approve" | "deny";
  /** Who answers; never the principal that asked. */
  readonly by: string;
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
  ask(
    request: ApprovalRequest,
    context: { readonly signal: AbortSignal },
  ): Promise<Omit<ApprovalAnswer, "by">> | Omit<ApprovalAnswer, "by">;
}

export interface Grant {
  readonly id: string;
  readonly scope: Exclude<GrantScope, "once">;
  readonly principal: string;
  readonly sessionId: string | undefined;
  readonly project: string | undefined;
  readonly toolId: string;
  readonly definitionHash: string;
  /** Absent when the grant covers any input of the tool. */
  readonly inputHash: string | undefined;
  readonly by: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

export interface GrantQuery extends Omit<ApprovalBinding, "inputHash"> {
  readonly sessionId: string | undefined;
  readonly project: string;
  /** Computed only if some grant needs it. */
  readonly inputHash: () => string;
  readonly now: number;
  /** Only a grant for this very input counts: what makes it ask (a path outside, a command nobody understands) is in the input. */
  readonly exactOnly: boolean;
}

export interface GrantStore {
  add(grant: Grant): void | Promise<void>;
  find(query: GrantQuery): Grant | undefined | Promise<Grant | undefined>;
  list(): readonly Grant[] | Promise<readonly Grant[]>;
  revoke(id: string): boolean | Promise<boolean>;
}
