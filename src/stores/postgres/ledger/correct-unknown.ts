/**
 * The end of a call that the ledger has as `unknown`: its process was taken for dead and lived, or had left the end in its
 * state folder. The record names the one that it corrects, so a call has one end that counts.
 */
import { canonicalJson } from "../../../core/input/canonical-json.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import type { Statements } from "../database.ts";
import { column } from "./append-block.ts";

export async function correctUnknown(
  db: Statements,
  rows: readonly LedgerRow[],
): Promise<readonly LedgerRow[]> {
  const ids = rows.filter(isEnd).map(({ fields }) => column(fields.callId));
  if (ids.length === 0) return rows;
  const found = await db.query(
    "SELECT call_id, seq FROM toolgate.ledger WHERE call_id = ANY($1) AND kind = 'unknown'",
    [ids],
  );
  const unknown = new Map(found.map((row) => [String(row.call_id), Number(row.seq)]));
  return rows.map((row) => {
    const corrects = isEnd(row) ? unknown.get(column(row.fields.callId) ?? "") : undefined;
    if (corrects === undefined) return row;
    const body = canonicalJson({ ...(JSON.parse(row.body) as JsonObject), corrects });
    return { ...row, body };
  });
}

function isEnd({ fields: { kind, callId } }: LedgerRow): boolean {
  return kind === "completion" && callId !== null;
}
