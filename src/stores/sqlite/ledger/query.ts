/** Finds rows by what people ask for, page by page. */
import type { LedgerFilter, LedgerStats } from "../../../core/ports/ledger-reader.ts";
import {
  type Condition,
  type Dialect,
  type Look,
  statsQueries,
  toStats,
  where,
} from "../../ledger/search-sql.ts";
import type { StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
import { readHead } from "./append.ts";
import { columnsFor } from "./columns/columns.ts";
import { type Finding, findInColumns } from "./columns/count-columns.ts";
import { firstSince } from "./find-time.ts";
import { statements } from "./statements.ts";

export interface Found {
  readonly rows: readonly Row[];
  /** Where to go on; absent when everything was looked at. */
  readonly next: number | undefined;
}

/** So many rows are looked at in one go; others get their turn before the next go. */
const rowsAtOnce = 50_000;

export function look(store: StoreContext, { filter, order, limit, after }: Look): Found {
  const { cutSeq, seq: last } = readHead(store);
  const { since } = filter;
  // No row before `since` tells of anything later. The other way round it can be: hooks' records come late.
  const first = Math.max(cutSeq + 1, since === undefined ? 0 : firstSince(store, since));
  const { sql, values } = where(filter, dialect);
  const isNewest = order === "newest";
  const from = isNewest
    ? Math.min(last, (after ?? Number.MAX_SAFE_INTEGER) - 1)
    : Math.max(first, (after ?? 0) + 1);
  const known = lookInColumns(store, { filter, from, to: isNewest ? first : last, limit });
  if (known !== undefined) return known;
  const to = isNewest ? Math.max(first, from - rowsAtOnce + 1) : Math.min(last, from + rowsAtOnce - 1);
  const rows = store.all(
    `SELECT * FROM ledger WHERE seq >= ? AND seq <= ?${sql} ORDER BY seq${isNewest ? " DESC" : ""} LIMIT ?`,
    isNewest ? to : from,
    isNewest ? from : to,
    ...values,
    limit,
  );
  const next = rows.length === limit ? Number(rows.at(-1)?.seq) : to;
  return { rows, next: (isNewest ? next > first : next < last) ? next : undefined };
}

/** All at once, where somebody has counted the same records before. Undefined: the records are searched. */
function lookInColumns(store: StoreContext, finding: Finding): Found | undefined {
  const { from, to, limit } = finding;
  const columns = columnsFor(store, Math.min(from, to), Math.max(from, to));
  const seqs = columns && findInColumns(columns, finding);
  if (seqs === undefined) return undefined;
  const rows = seqs.flatMap((seq) => store.all(statements.ofSeq, seq));
  const end = seqs.at(-1);
  const isMore = seqs.length === limit && end !== undefined && end !== to;
  return { rows, next: isMore ? end : undefined };
}

/** The numbers of records in a piece of the ledger that fit. */
export function seqsOf(
  store: StoreContext,
  { filter, from, to }: { readonly filter: LedgerFilter; readonly from: number; readonly to: number },
): number[] {
  const { sql, values } = where(filter, dialect);
  return store
    .all(`SELECT seq FROM ledger WHERE seq >= ? AND seq <= ?${sql}`, from, to, ...values)
    .map(({ seq }) => Number(seq));
}

export function countAll(store: StoreContext, filter: LedgerFilter): LedgerStats {
  const first = filter.since === undefined ? 0 : firstSince(store, filter.since);
  const ask = ({ sql, values }: Condition) =>
    store.all(sql, ...values).map((row) => ({ name: String(row.name), count: Number(row.count) }));
  const { kinds, verdicts, tools, refused, callers, codes, days, medians } = statsQueries(
    filter,
    first,
    dialect,
  );
  return toStats({
    kinds: ask(kinds),
    verdicts: ask(verdicts),
    tools: ask(tools),
    refused: ask(refused),
    callers: ask(callers),
    codes: ask(codes),
    days: ask(days),
    medians: ask(medians),
  });
}

const dialect: Dialect = {
  table: "ledger",
  find: "instr",
  toolUseId: "json_extract(body, '$.toolUseId')",
};
