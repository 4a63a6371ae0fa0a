/** What the gate needs from the world: time, ids, a ledger, a memory for limits, a place for long output. */
import type { AgentFacts } from "../call/asking-agent.ts";
import type { Mode } from "../call/call.ts";
import type { RuleRef, Stage } from "../call/errors.ts";
import type { ApprovalRef, Verdict } from "../call/outcome.ts";
import type { JsonObject } from "../input/json.ts";
import type { Permission } from "../tool/permission.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only go forward, for durations. */
  monotonic(): number;
  /** The time of day at a recent reading of `monotonic`, without asking the system again. */
  dateOf(monotonic: number): number;
  /** Returns how to cancel it. Every timer belongs to a call and is cancelled when that call ends. */
  after(ms: number, run: () => void): () => void;
}

export interface Ids {
  /** Unique, not secret. */
  call(): string;
  /** Unguessable: 128 bits. */
  secret(): string;
}

/** Written durably before a tool that writes or executes may start. */
export interface LedgerIntent {
  readonly callId: string;
  readonly at: number;
  readonly tool: string;
  readonly permission: Permission;
  readonly caller: string;
  readonly sessionId: string | undefined;
  readonly toolUseId?: string | undefined;
  readonly input: JsonObject;
  readonly approval: ApprovalRef | undefined;
  readonly owner?: string | undefined;
}

/** One per call, refused ones too. */
export interface LedgerRecord extends AgentFacts {
  readonly callId: string;
  readonly at: number;
  readonly durationMs: number;
  readonly surface: string;
  /** `check`: another agent ran the tool, if anybody did. */
  readonly kind: "call" | "check";
  readonly caller: string;
  readonly sessionId: string | undefined;
  readonly toolUseId: string | undefined;
  readonly cwd: string;
  readonly mode: Mode;
  /** The name that was asked for, and the tool it meant. */
  readonly askedFor: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly verdict: Verdict;
  readonly ok: boolean;
  readonly code: string | undefined;
  readonly stage: Stage | undefined;
  readonly message: string | undefined;
  readonly rule: RuleRef | undefined;
  readonly approval: ApprovalRef | undefined;
  /** The start of the result's text, for people who read the record. */
  readonly result: string | undefined;
  /** What the tool's code found worth knowing for those people, and only for them. */
  readonly notes?: readonly string[] | undefined;
  /** For whom the caller acted: who started the session of the agent. */
  readonly owner?: string | undefined;
  /** Policies in shadow mode that would have had a say. */
  readonly shadow?: readonly ShadowVerdict[] | undefined;
}

/** What the policies would have come to with one more of them, that is only watched so far. */
export interface ShadowVerdict {
  /** The policy. */
  readonly rule: string;
  /** Changes with what it says: an earlier wording has a record of its own. */
  readonly wording: string;
  readonly verdict: Verdict;
}

/** What was changed about the gate itself. */
export const noteCodes = [
  "categories_started",
  "category_changed",
  "file_trusted",
  "trust_revoked",
  "token_created",
  "token_revoked",
  "grant_given",
  "grant_revoked",
  "upstream_accepted",
] as const;

/** One per change of what calls may do: it has no call, and stands in the same chain. */
export interface LedgerNote {
  readonly at: number;
  readonly code: (typeof noteCodes)[number];
  /** Who did it. */
  readonly caller: string;
  readonly surface: string;
  /** For people who read the record. */
  readonly message: string;
  /** What it was about, for programs. */
  readonly about?: JsonObject;
}

export interface Ledger {
  open(intent: LedgerIntent): void | Promise<void>;
  close(record: LedgerRecord): void | Promise<void>;
  /** Of `state` one note is enough while its text stays the same, in all processes. Never told: "". */
  note?(note: LedgerNote, state?: { readonly name: string; readonly text: string }): void | Promise<void>;
}

export interface LimitClaim {
  /** The limit, and whose calls are counted together: a tool, a session, a caller. */
  readonly limit: string;
  readonly who: string;
  /** At most `max` calls in any `windowMs`. */
  readonly window: { readonly max: number; readonly windowMs: number } | undefined;
  readonly concurrent: number | undefined;
}

export type LimitAnswer =
  /** `release` when the call ends; undefined when nothing is held meanwhile. */
  | { readonly ok: true; readonly release: (() => void) | undefined }
  | {
      readonly ok: false;
      readonly index: number;
      readonly why: "window" | "concurrent";
      readonly retryAfterMs: number | undefined;
    };

export interface LimitStore {
  /** All claims or none. `dry` only looks. */
  take(claims: readonly LimitClaim[], now: number, dry: boolean): LimitAnswer | Promise<LimitAnswer>;
}

/** Where output goes that is too long to hand on. */
export interface Spill {
  /** Returns where it is and how to read it. */
  save(callId: string, text: string, callerId: string): Promise<{ readonly path: string }>;
  /** Is this (real) path output of this caller's own calls? Then reading it needs nobody's approval. */
  belongsTo?(path: string, callerId: string): boolean;
}
