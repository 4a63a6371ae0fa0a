/** Whether the columns that a row is searched by say what its body says. */
import type { JsonObject } from "../../core/input/json.ts";
import { fieldsOf } from "./row.ts";

export interface ColumnForm {
  /** A text as the column holds it. Default: as it is. */
  readonly text?: (text: string | null) => string | null;
  /** Where the time of writing is not that of the body. */
  readonly recordedAt?: number;
  /** The time of the row before: rows that came from a database may have been written by clocks that differ a little. */
  readonly notBefore?: number;
}

/** Undefined: they do. */
export function explainColumns(
  row: Readonly<Record<string, unknown>>,
  body: string,
  { text = (same) => same, recordedAt, notBefore = 0 }: ColumnForm = {},
): string | undefined {
  let parsed: JsonObject;
  try {
    parsed = JSON.parse(body) as JsonObject;
  } catch {
    return `Row ${row.seq} is no longer JSON.`;
  }
  const fields = fieldsOf(parsed);
  const same =
    row.kind === fields.kind &&
    row.at === fields.at &&
    row.recorded_at === (recordedAt ?? Math.max(notBefore, fields.recordedAt)) &&
    row.call_id === text(fields.callId) &&
    row.tool === text(fields.tool) &&
    row.caller === text(fields.caller) &&
    row.session_id === text(fields.sessionId) &&
    row.verdict === text(fields.verdict) &&
    row.code === text(fields.code) &&
    row.duration_ms === fields.durationMs;
  return same ? undefined : `The columns of row ${row.seq} say something else than its body.`;
}
