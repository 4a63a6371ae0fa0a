/** A row that is ready but for its time, as one text: it crosses threads faster than an object. */
import type { LedgerFields, LedgerRow } from "../../ledger/row.ts";

/** Stands where the time will, and between the fields: canonical JSON holds no bare tab. */
export const timeToCome = "\t";

/** Undefined: a name holds a tab or a line break, or the time has no place in the row. */
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
  // By hand: a list of all parts would be garbage for every row.
  const atEnd = text.indexOf("\t", end + 1);
  const callEnd = text.indexOf("\t", atEnd + 1);
  const toolEnd = text.indexOf("\t", callEnd + 1);
  const callerEnd = text.indexOf("\t", toolEnd + 1);
  const sessionEnd = text.indexOf("\t", callerEnd + 1);
  const verdictEnd = text.indexOf("\t", sessionEnd + 1);
  const codeEnd = text.indexOf("\t", verdictEnd + 1);
  const time = Number(text.slice(end + 1, atEnd));
  const recordedAt = timeFor(time);
  const callId = unpack(text, atEnd, callEnd);
  const fields: LedgerFields = {
    kind,
    at: time,
    recordedAt,
    callId,
    tool: unpack(text, callEnd, toolEnd),
    caller: unpack(text, toolEnd, callerEnd),
    sessionId: unpack(text, callerEnd, sessionEnd),
    verdict: unpack(text, sessionEnd, verdictEnd),
    code: unpack(text, verdictEnd, codeEnd),
    durationMs: codeEnd + 1 === text.length ? null : Number(text.slice(codeEnd + 1)),
  };
  const body = `${text.slice(0, hole)}${recordedAt}${text.slice(hole + 1, end)}`;
  return { row: { body, fields, inputText: undefined }, callId: callId ?? "" };
}

/** Nothing and an empty text are not the same. */
function pack(value: string | null): string {
  return value === null ? "" : `=${value}`;
}

/** Between two tabs. */
function unpack(text: string, from: number, to: number): string | null {
  return from + 1 === to ? null : text.slice(from + 2, to);
}

/** One look at all of them. */
function hasBreaks({ callId, tool, caller, sessionId, verdict, code }: LedgerFields): boolean {
  return /[\t\n]/.test(`${callId}${tool}${caller}${sessionId}${verdict}${code}`);
}
