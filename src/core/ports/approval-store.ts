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

export interface ApprovalStore extends ApprovalDesk {
  /** What waits in any process, oldest first. */
  waiting(): Promise<readonly ApprovalRecord[]>;
  /** Those whose id begins so, whatever became of them; newest first, ten at most. */
  find(prefix: string): Promise<readonly ApprovalRecord[]>;
  /** Called soon after a change in any process, sometimes for nothing. Returns how to stop. */
  onChange(listener: () => void): () => void;
}
