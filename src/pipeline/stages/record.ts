/** ledger: every call leaves one record, refused ones too. A call that cannot be recorded does not succeed. */

import { type ToolResult, textOf } from "../../core/call/content.ts";
import { messageOf, type RuleRef, Stop } from "../../core/call/errors.ts";
import type { ApprovalRef, Outcome, Verdict } from "../../core/call/outcome.ts";
import type { LedgerRecord } from "../../core/ports/ports.ts";
import { asPromise } from "../../core/run/abort.ts";
import type { Call } from "../calls.ts";
import type { GateParts } from "../parts.ts";

const keptResultCharacters = 500;

/** Most calls succeed: their records have little to tell, and are written without the questions below. */
export function recordSuccess(
  call: Call,
  { tool, approval, result, durationMs }: Outcome,
  parts: GateParts,
): Stop | undefined | Promise<Stop | undefined> {
  return keep(
    {
      callId: call.callId,
      at: call.at,
      durationMs: toMicroseconds(durationMs),
      surface: call.surface,
      kind: "call",
      caller: call.caller.id,
      sessionId: call.sessionId,
      toolUseId: call.toolUseId,
      cwd: call.cwd,
      mode: call.mode,
      askedFor: call.askedFor,
      tool,
      input: call.input,
      verdict: "allow",
      ok: true,
      code: undefined,
      stage: undefined,
      message: undefined,
      rule: call.decision.rule,
      approval,
      result: start(textOf(result)),
      notes: call.notes,
    },
    parts,
  );
}

/** A Stop when the record could not be kept. */
export function record(
  call: Call,
  tool: string,
  verdict: Verdict,
  stop: Stop | undefined,
  rule: RuleRef | undefined,
  approval: ApprovalRef | undefined,
  result: ToolResult | undefined,
  durationMs: number,
  parts: GateParts,
): Stop | undefined | Promise<Stop | undefined> {
  return keep(
    {
      callId: call.callId,
      at: call.at,
      durationMs: toMicroseconds(durationMs),
      surface: call.surface,
      kind: call.kind,
      caller: call.caller.id,
      sessionId: call.sessionId,
      toolUseId: call.toolUseId,
      cwd: call.cwd,
      mode: call.mode,
      askedFor: call.askedFor,
      tool,
      input: call.input,
      verdict,
      ok: stop === undefined,
      code: stop?.code,
      stage: stop?.stage,
      message: stop?.message,
      rule: stop?.rule ?? rule,
      approval: approval ?? stop?.approval,
      result: result === undefined ? undefined : start(textOf(result)),
      notes: call.notes,
    },
    parts,
  );
}

function keep(record: LedgerRecord, { ledger }: GateParts): Stop | undefined | Promise<Stop | undefined> {
  try {
    const closed: unknown = ledger.close(record);
    return closed === undefined ? undefined : keepLater(closed);
  } catch (error) {
    return notRecorded(error);
  }
}

function keepLater(closed: unknown): Promise<undefined | Stop> | undefined {
  return asPromise(closed)?.then(() => undefined, notRecorded);
}

/** What is finer is noise. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function start(text: string): string {
  return text.length > keptResultCharacters ? text.slice(0, keptResultCharacters) : text;
}

function notRecorded(error: unknown): Stop {
  const message = `The end of this call could not be recorded: ${messageOf(error)}`;
  return new Stop("ledger_failed", "ledger", message, { cause: error });
}
