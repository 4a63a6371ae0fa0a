/** How an approval looks in the database, and how it looks to those who answer it or wait for it. */
import type { ApprovalAnswer, Meaning } from "../../../core/call/approval.ts";
import type { AskingAgent } from "../../../core/call/asking-agent.ts";
import type { RuleRef } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { ApprovalRecord, ApprovalState } from "../../../core/ports/approval-store.ts";
import type { Row } from "../context.ts";

/** What the waiting process needs on top. */
export interface WaitedRecord extends ApprovalRecord {
  readonly sealedInput: string | undefined;
}

export function toRecord(row: Row): WaitedRecord {
  return {
    request: Object.freeze({
      id: text(row.id),
      callId: text(row.call_id),
      sessionId: optionalText(row.session_id),
      toolUseId: optionalText(row.tool_use_id),
      agent: row.agent === null ? undefined : (JSON.parse(text(row.agent)) as AskingAgent),
      // The column has kept the name that it was made with.
      caller: text(row.principal),
      toolId: text(row.tool_id),
      definitionHash: text(row.definition_hash),
      inputHash: text(row.input_hash),
      project: text(row.project),
      title: text(row.title),
      description: text(row.description),
      input: JSON.parse(text(row.input)) as JsonObject,
      meaning: JSON.parse(text(row.meaning)) as Meaning,
      meaningHash: text(row.meaning_hash),
      policyVersion: Number(row.policy_version),
      reason: text(row.reason),
      rule: row.rule === null ? undefined : (JSON.parse(text(row.rule)) as RuleRef),
      createdAt: Number(row.created_at),
      expiresAt: Number(row.expires_at),
    }),
    redactions: Number(row.redactions),
    state: text(row.state) as ApprovalState,
    answer: row.answer === null ? undefined : (JSON.parse(text(row.answer)) as ApprovalAnswer),
    answeredAt: row.answered_at === null ? undefined : Number(row.answered_at),
    becauseOf: optionalText(row.because_of),
    sealedInput: optionalText(row.sealed_input),
    asker:
      typeof row.pid === "number" && typeof row.start_ticks === "number"
        ? { pid: row.pid, startTicks: row.start_ticks }
        : undefined,
  };
}

/** Only the process that asked can bring it to its end. */
export function isOpen({ state }: Row): boolean {
  return state === "pending" || state === "approved" || state === "claimed";
}

/** What it is when that process is gone, also before somebody has written it down. */
export function leftBehind(record: ApprovalRecord): ApprovalRecord {
  return { ...record, state: record.state === "claimed" ? "unknown" : "withdrawn" };
}

export function text(value: unknown): string {
  return String(value);
}

function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
