/** Approvals that several processes share: asked in one, answered in another, and looked at by people. */
import type { ApprovalAnswer, ApprovalDesk, ApprovalRequest } from "../call/approval.ts";

export type ApprovalState =
  | "pending"
  | "approved"
  | "denied"
  | "expired"
  | "withdrawn"
  | "claimed"
  | "done"
  | "unknown";

/** One approval from its question to its end. The request's input has its secrets taken out. */
export interface ApprovalRecord {
  readonly request: ApprovalRequest;
  /** How many values of the input were taken out. */
  readonly redactions: number;
  readonly state: ApprovalState;
  readonly answer: ApprovalAnswer | undefined;
  readonly answeredAt: number | undefined;
  /** The denial that rejected this one, too. */
  readonly becauseOf: string | undefined;
  /** The process that waits, while it is registered on a system that tells when processes started. */
  readonly asker: { readonly pid: number; readonly startTicks: number } | undefined;
}

export interface PastQuery {
  readonly tool: string;
  /** Default: 100; at most 500. */
  readonly limit?: number;
}

export interface ApprovalTally {
  readonly asked: number;
  readonly open: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly withdrawn: number;
  /** From the question to its answer. Undefined: nobody has answered. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
}

export interface ApprovalStore extends ApprovalDesk {
  /** What waits in any process, oldest first. */
  waiting(): Promise<readonly ApprovalRecord[]>;
  /** Those whose id begins so, whatever became of them; newest first, ten at most. */
  find(prefix: string): Promise<readonly ApprovalRecord[]>;
  /** What was answered, or was left without an answer, newest first. What has ended is kept for 30 days. */
  past(wanted: PastQuery): Promise<readonly ApprovalRecord[]>;
  /** Those of these ids that are kept still, in any order. */
  records(ids: readonly string[]): Promise<readonly ApprovalRecord[]>;
  /** How questions since then have ended. */
  tally(since: number): Promise<ApprovalTally>;
  /** Called soon after a change in any process, sometimes for nothing. Returns how to stop. */
  onChange(listener: () => void): () => void;
}
