/** How an approval looks in the database, and how it looks to those who answer it or wait for it. */
import type { AnswerResult, ApprovalAnswer, Meaning } from "../../core/call/approval.ts";
import type { AskingAgent } from "../../core/call/asking-agent.ts";
import type { RuleRef } from "../../core/call/errors.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import type { ApprovalRecord, ApprovalState, ApprovalTally } from "../../core/ports/approval-store.ts";
import type { Redactor } from "../../safe/redact/redact.ts";
import { selfApproval, tooLate, unknownApproval } from "./approval-answer.ts";
import { optionalNumber, optionalText, type Row } from "./row.ts";
import type { Opening } from "./shared-approvals.ts";

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
    answeredAt: optionalNumber(row.answered_at),
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

/** A question as a new row, but for its number and whether a denial rejects others. */
export function toRow({ request, sealKey }: Opening, processId: string, redactor: Redactor) {
  // Secrets are taken out before anything is written; what counts is bound by its hash.
  const { redact, redactText } = redactor;
  const { value: input, count } = redact(request.input as Json);
  return {
    id: request.id,
    process_id: processId,
    state: "pending",
    principal: request.caller,
    tool_id: request.toolId,
    definition_hash: request.definitionHash,
    input_hash: request.inputHash,
    policy_version: request.policyVersion,
    call_id: request.callId,
    session_id: request.sessionId,
    tool_use_id: request.toolUseId,
    agent: request.agent && JSON.stringify(redact(request.agent as unknown as Json).value),
    project: request.project,
    title: redactText(request.title),
    description: redactText(request.description),
    input: JSON.stringify(input),
    redactions: count,
    meaning: JSON.stringify(redact(request.meaning as unknown as Json).value),
    meaning_hash: request.meaningHash,
    reason: redactText(request.reason),
    rule: request.rule && JSON.stringify(request.rule),
    seal_key: sealKey,
    created_at: request.createdAt,
    expires_at: request.expiresAt,
  };
}

/** An answer as it is kept. */
export function keptAnswer(answer: ApprovalAnswer, { redactText }: Redactor): string {
  const { reason } = answer;
  return JSON.stringify({ ...answer, ...(reason !== undefined && { reason: redactText(reason) }) });
}

/** Why an answer changed nothing. `row`: as the approval is now. */
export function explainLate(id: string, by: string, row: Row | undefined): AnswerResult {
  if (row === undefined) return unknownApproval(id);
  const { state, answer: first } = toRecord(row);
  if (first !== undefined) return tooLate(id, { state: "answered", by: first.by, decision: first.decision });
  if (state === "pending" && row.principal === by) return selfApproval(by);
  return tooLate(id, { state: state === "withdrawn" ? "withdrawn" : "expired" });
}

/** Of rows with `state`, `took` (milliseconds until the answer) and `decision`. */
export function toTally(rows: readonly Row[]): ApprovalTally {
  const counts = { open: 0, approved: 0, denied: 0, expired: 0, withdrawn: 0 };
  const took: number[] = [];
  for (const row of rows) {
    if (row.took !== null) took.push(Number(row.took));
    // What was approved may be withdrawn afterwards: the call was cancelled before it ran.
    if (row.decision === "approve") counts.approved++;
    else if (row.decision === "deny") counts.denied++;
    else if (row.state === "pending") counts.open++;
    else if (row.state === "expired") counts.expired++;
    else counts.withdrawn++;
  }
  took.sort((one, other) => one - other);
  const at = (share: number) => took[Math.max(0, Math.ceil(took.length * share) - 1)];
  return { asked: rows.length, ...counts, medianMs: at(0.5), p95Ms: at(0.95) };
}

export function withoutSeal(row: Row): ApprovalRecord {
  const { sealedInput: _, ...record } = toRecord(row);
  return record;
}
