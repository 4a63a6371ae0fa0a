/** The record of a call that was refused before it could walk: nothing ran. */
import type { ErrorCode } from "../../core/call/errors.ts";
import type { JsonObject } from "../../core/input/json.ts";
import type { LedgerRecord } from "../../core/ports/ports.ts";

export interface RefusedCall {
  readonly surface: string;
  readonly kind: LedgerRecord["kind"];
  readonly caller: string;
  readonly tool: string;
  readonly cwd: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly input?: JsonObject;
  readonly mode?: LedgerRecord["mode"];
  readonly sessionId?: string | undefined;
  readonly toolUseId?: string | undefined;
}

/** Nobody has a tool with a longer name, and a record must not grow as its sender likes. */
const longestName = 256;

export function refusedRecord({ tool, input = {}, mode = "act", ...call }: RefusedCall): LedgerRecord {
  const name = tool.slice(0, longestName);
  return {
    sessionId: undefined,
    toolUseId: undefined,
    ...call,
    callId: nextId(),
    at: Date.now(),
    durationMs: 0,
    mode,
    askedFor: name,
    tool: name,
    input,
    verdict: "deny",
    ok: false,
    stage: "resolve",
    rule: undefined,
    approval: undefined,
    result: undefined,
  };
}

/** Unique among processes and within this one, not secret. */
function nextId(): string {
  return `call_${Date.now().toString(36)}${process.pid.toString(36)}_${process.hrtime.bigint().toString(36)}`;
}
