/** A row that is ready but for the time of its writing, as one text: that crosses threads faster than an object, and leaves the worker little to do. */
import type { LedgerFields, LedgerRow } from "../../ledger/row.ts";

/** Stands where the time will, and between the fields: canonical JSON holds no bare tab. */
export const timeToCome = "\t";

/** Undefined: this form cannot carry it, because a name holds a tab or a line break, or the time has no place in it. */
export function packRow({ body, fields }: LedgerRow): string | undefined {
  if (!body.includes(timeToCome) || hasBreaks(fields)) return undefined;
  const { at, callId, tool, caller, sessionId, verdict, code, durationMs } = fields;
  const names = `${pack(callId)}\t${pack(tool)}\t${pack(caller)}\t${pack(sessionId)}\t${pack(verdict)}\t${pack(code)}`;
  return `${body}\t${at}\t${names}\t${durationMs === null ? "" : durationMs}`;
}

export function unpackRow(
  text: string,
  kind: string,
  timeFor: (at: number) => number,
): { readonly row: LedgerRow; readonly callId: string } {
  const hole = text.indexOf(timeToCome);
  const end = text.indexOf(timeToCome, hole + 1);
  const [at = "", callId = "", tool, caller, sessionId, verdict, code, durationMs] = text
    .slice(end + 1)
    .split(timeToCome);
  const time = Number(at);
  const recordedAt = timeFor(time);
  const fields: LedgerFields = {
    kind,
    at: time,
    recordedAt,
    callId: unpack(callId),
    tool: unpack(tool),
    caller: unpack(caller),
    sessionId: unpack(sessionId),
    verdict: unpack(verdict),
    code: unpack(code),
    durationMs: durationMs === "" ? null : Number(durationMs),
  };
  const body = text.slice(0, hole) + recordedAt + text.slice(hole + 1, end);
  return { row: { body, fields, inputText: undefined }, callId: callId.slice(1) };
}

/** Nothing and an empty text are not the same. */
function pack(value: string | null): string {
  return value === null ? "" : `=${value}`;
}

function unpack(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text.slice(1);
}

function hasBreaks({ callId, tool, caller, sessionId, verdict, code }: LedgerFields): boolean {
  return (
    isBroken(callId) ||
    isBroken(tool) ||
    isBroken(caller) ||
    isBroken(sessionId) ||
    isBroken(verdict) ||
    isBroken(code)
  );
}

function isBroken(value: string | null): boolean {
  return value !== null && /[\t\n]/.test(value);
}
