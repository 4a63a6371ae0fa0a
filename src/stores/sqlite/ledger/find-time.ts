/** Where a time begins in the ledger, by halving: rows have no gaps, and the time of writing never falls. */
import type { StoreContext } from "../area.ts";
import { readHead } from "./append.ts";
import { statements } from "./statements.ts";

/** The first row written at that time or later; one more than the last if there is none. */
export function firstSince(store: StoreContext, time: number): number {
  const { cutSeq, seq } = readHead(store);
  let low = cutSeq + 1;
  let high = seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = store.get(statements.recordedAt, middle);
    // Rows that were taken away are for verification to find; here they must not hide others.
    if (row === undefined || Number(row.recorded_at) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
