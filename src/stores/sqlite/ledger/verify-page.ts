/** One page of a verification: rows as they are, and whether their columns say what their bodies say. */
import type { LedgerProblem } from "../../../core/ports/ledger-reader.ts";
import { explainColumns } from "../../ledger/verify-columns.ts";
import type { ChainRow } from "../../ledger/verify-rows.ts";
import type { StoreContext } from "../area.ts";
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
  let before = store.get(statements.recordedAt, after)?.recorded_at;
  return store.all(statements.page, after, last, limit).map((row) => {
    const seq = Number(row.seq);
    const body = String(row.body);
    // Before the first row there is none, or retention has removed it: then only that one may be later than it says.
    const notBefore = Number(before ?? (seq === 1 ? 0 : row.recorded_at));
    const wrong = explainColumns(row, body, { notBefore });
    before = row.recorded_at;
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
