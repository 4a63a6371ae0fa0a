/** One page of a verification: rows as they are, and whether their columns say what their bodies say. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerProblem } from "../../../core/ports/ledger-reader.ts";
import { fieldsOf } from "../../ledger/row.ts";
import type { ChainRow } from "../../ledger/verify-rows.ts";
import type { StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
import { type Head, readHead } from "./append.ts";
import { statements } from "./statements.ts";

export interface PageRow extends ChainRow {
  /** What is wrong with the row itself. */
  readonly wrong?: string;
}

export function verifyPage(
  store: StoreContext,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): PageRow[] {
  return store.all(statements.page, after, last, limit).map((row) => {
    const seq = Number(row.seq);
    const body = String(row.body);
    const wrong = explainColumns(row, body);
    return { seq, hash: String(row.hash), body, ...(wrong !== undefined && { wrong }) };
  });
}

/** Rows before the cut, or after the head as it is now. */
export function findStrays(store: StoreContext, { cutSeq }: Head): LedgerProblem[] {
  const now = readHead(store);
  const row = store.get(statements.stray, Math.min(cutSeq, now.cutSeq), now.seq);
  if (row === undefined) return [];
  const message = `Row ${row.seq} is there, but the ledger has rows ${now.cutSeq + 1} to ${now.seq} only.`;
  return [{ kind: "inserted", seq: Number(row.seq), message }];
}

function explainColumns(row: Row, body: string): string | undefined {
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
    row.recorded_at === fields.recordedAt &&
    row.call_id === fields.callId &&
    row.tool === fields.tool &&
    row.caller === fields.caller &&
    row.session_id === fields.sessionId &&
    row.verdict === fields.verdict &&
    row.code === fields.code &&
    row.duration_ms === fields.durationMs;
  return same ? undefined : `The columns of row ${row.seq} say something else than its body.`;
}
