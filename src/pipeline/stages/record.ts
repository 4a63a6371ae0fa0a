/** ledger: every call leaves one record, also a refused one. Without a record no call succeeds. */

import { agentFacts } from "../../core/call/asking-agent.ts";
import { type ToolResult, textOf } from "../../core/call/content.ts";
import { messageOf, type RuleRef, Stop } from "../../core/call/errors.ts";
import type { ApprovalRef, Verdict } from "../../core/call/outcome.ts";
import type { LedgerRecord } from "../../core/ports/ports.ts";
import { asPromise } from "../../core/run/abort.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { storeAway } from "../store-away.ts";

const keptResultCharacters = 500;

/** How a call ended. */
export interface CallEnd {
  readonly tool: string;
  readonly verdict: Verdict;
  /** Undefined: it succeeded. */
  readonly error?: Stop | undefined;
  readonly rule?: RuleRef | undefined;
  readonly approval?: ApprovalRef | undefined;
  readonly result?: ToolResult | undefined;
  readonly durationMs: number;
}

/** A Stop when the record could not be kept. */
export function record(
  call: Call,
  { tool, verdict, error, rule, approval, result, durationMs }: CallEnd,
  parts: DecidingParts,
): Stop | undefined | Promise<Stop | undefined> {
  const agent = call.agent === undefined ? undefined : agentFacts(call.agent);
  return keep(
    call,
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
      ok: error === undefined,
      code: error?.code,
      stage: error?.stage,
      message: error?.message,
      rule: error?.rule ?? rule,
      approval: approval ?? error?.approval,
      result: result === undefined ? undefined : start(textOf(result)),
      notes: call.notes,
      ...(call.caller.owner !== undefined && { owner: call.caller.owner }),
      ...(call.shadows !== undefined && { shadow: call.shadows }),
      ...agent,
    },
    parts,
  );
}

function keep(
  call: Call,
  record: LedgerRecord,
  { ledger }: DecidingParts,
): Stop | undefined | Promise<Stop | undefined> {
  try {
    const closed: unknown = ledger.close(record);
    return closed === undefined ? undefined : keepLater(call, closed);
  } catch (error) {
    return notRecorded(call, error);
  }
}

function keepLater(call: Call, closed: unknown): Promise<undefined | Stop> | undefined {
  return asPromise(closed)?.then(
    () => undefined,
    (error: unknown) => notRecorded(call, error),
  );
}

/** What is finer is noise. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function start(text: string): string {
  return text.length > keptResultCharacters ? text.slice(0, keptResultCharacters) : text;
}

function notRecorded(call: Call, error: unknown): Stop {
  // What may have changed something must not be called again as if nothing had happened.
  const hasEffect = call.started && call.planned.permission !== "read";
  const away = hasEffect ? undefined : storeAway(error);
  if (away !== undefined) return away;
  const message = `The end of this call could not be recorded: ${messageOf(error)}`;
  return new Stop("ledger_failed", "ledger", message, { cause: error });
}
