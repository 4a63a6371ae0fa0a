/** ledger: every call leaves one record, refused ones too. A call that cannot be recorded does not succeed. */
import { asPromise } from "../core/abort.ts";
import { type ToolResult, textOf } from "../core/content.ts";
import { messageOf, type RuleRef, Stop } from "../core/errors.ts";
import type { ApprovalRef, Verdict } from "../core/outcome.ts";
import type { Call } from "./calls.ts";
import type { GateParts } from "./parts.ts";

const keptResultCharacters = 500;

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
  try {
    const closed = parts.ledger.close({
      callId: call.callId,
      at: call.at,
      durationMs,
      surface: call.surface,
      kind: call.kind,
      caller: call.caller.id,
      sessionId: call.sessionId,
      toolUseId: call.toolUseId,
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
    });
    return asPromise(closed)?.then(() => undefined, notRecorded);
  } catch (error) {
    return notRecorded(error);
  }
}

function start(text: string): string {
  return text.length > keptResultCharacters ? text.slice(0, keptResultCharacters) : text;
}

function notRecorded(error: unknown): Stop {
  const message = `The end of this call could not be recorded: ${messageOf(error)}`;
  return new Stop("ledger_failed", "ledger", message, { cause: error });
}
