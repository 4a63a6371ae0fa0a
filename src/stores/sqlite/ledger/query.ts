/** Finds rows by what people ask for: fixed pieces of SQL, bound values, pages by number. */
import type { SQLInputValue } from "node:sqlite";
import type { LedgerFilter, LedgerStats } from "../../../core/ports/ledger-reader.ts";
import type { StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
import { readHead } from "./append.ts";
import { columnsFor } from "./columns/columns.ts";
import { type Finding, findInColumns } from "./columns/count-columns.ts";
import { firstSince } from "./find-time.ts";
import { statements } from "./statements.ts";

export interface Look {
  readonly filter: LedgerFilter;
  readonly order: "newest" | "oldest";
  readonly limit: number;
  /** Exclusive, in the direction of the order. */
  readonly after: number | undefined;
}

export interface Found {
  readonly rows: readonly Row[];
  /** Where to go on; absent when everything was looked at. */
  readonly next: number | undefined;
}

/** So many rows are looked at in one go; others get their turn before the next go. */
const rowsAtOnce = 50_000;
const defaultKinds = ["completion", "unknown"];

export function look(store: StoreContext, { filter, order, limit, after }: Look): Found {
  const { cutSeq, seq: last } = readHead(store);
  const { since } = filter;
  // No row before `since` tells of anything later. The other way round it can be: hooks' records come late.
  const first = Math.max(cutSeq + 1, since === undefined ? 0 : firstSince(store, since));
  const { sql, values } = where(filter);
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
  const { sql, values } = where(filter);
  return store
    .all(`SELECT seq FROM ledger WHERE seq >= ? AND seq <= ?${sql}`, from, to, ...values)
    .map(({ seq }) => Number(seq));
}

export function countAll(store: StoreContext, filter: LedgerFilter): LedgerStats {
  const { sql: asked, values: askedValues } = where(filter);
  const first = filter.since === undefined ? 0 : firstSince(store, filter.since);
  const sql = ` AND seq >= ?${asked}`;
  const values = [first, ...askedValues];
  const count = (name: string, more = "", limit = 50) =>
    store
      .all(
        `SELECT ${name} AS name, count(*) AS count FROM ledger WHERE 1 = 1${sql}${more} GROUP BY ${name} ORDER BY count(*) DESC, ${name} LIMIT ${limit}`,
        ...values,
      )
      .map((row) => ({ name: String(row.name), count: Number(row.count) }));
  const kinds = new Map(count("kind").map((one) => [one.name, one.count]));
  const calls = " AND kind = 'completion'";
  const medians = new Map(
    store
      .all(
        `WITH ordered AS (SELECT tool, duration_ms, row_number() OVER (PARTITION BY tool ORDER BY duration_ms) AS place,
           count(*) OVER (PARTITION BY tool) AS total FROM ledger WHERE duration_ms IS NOT NULL${sql}${calls})
         SELECT tool, duration_ms FROM ordered WHERE place = (total + 1) / 2`,
        ...values,
      )
      .map((row) => [String(row.tool), Number(row.duration_ms)]),
  );
  const refused = new Map(
    count("tool", `${calls} AND verdict = 'deny'`, 10_000).map((one) => [one.name, one.count]),
  );
  return {
    calls: kinds.get("completion") ?? 0,
    unknown: kinds.get("unknown") ?? 0,
    byVerdict: count("verdict", calls),
    byTool: count("tool", `${calls} AND tool IS NOT NULL`).map((one) => ({
      ...one,
      refused: refused.get(one.name) ?? 0,
      medianMs: medians.get(one.name),
    })),
    byCaller: count("caller", `${calls} AND caller IS NOT NULL`),
    byCode: count("code", `${calls} AND code IS NOT NULL`),
    byDay: count("at / 86400000", calls, 10_000)
      .map(({ name, count: some }) => ({
        name: new Date(Number(name) * 86_400_000).toISOString().slice(0, 10),
        count: some,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

function where(filter: LedgerFilter): { readonly sql: string; readonly values: SQLInputValue[] } {
  const { since, until, tool, caller, session, toolUseId, verdict, code, text, notCalls } = filter;
  const { kinds = defaultKinds } = filter;
  const pieces: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (piece: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return;
    pieces.push(piece);
    values.push(value);
  };
  pieces.push(`kind IN (${kinds.map(() => "?").join(", ") || "NULL"})`);
  values.push(...kinds);
  add("at >= ?", since);
  add("at < ?", until);
  if (tool?.includes("*") === true) add("tool LIKE ? ESCAPE '!'", toLike(tool));
  else add("tool = ?", tool);
  add("caller = ?", caller);
  add("session_id = ?", session);
  if (toolUseId !== undefined) {
    // An input may hold the same words: they only say which bodies are worth parsing.
    pieces.push("CASE WHEN instr(body, ?) > 0 THEN json_extract(body, '$.toolUseId') = ? END");
    values.push(`"toolUseId":${JSON.stringify(toolUseId)}`, toolUseId);
  }
  if (notCalls !== undefined) {
    pieces.push("substr(coalesce(call_id, ''), 1, ?) <> ?");
    values.push(notCalls.length, notCalls);
  }
  add("verdict = ?", verdict);
  add("code = ?", code);
  add(
    "lower(body) LIKE ? ESCAPE '!'",
    text === undefined ? undefined : `%${escapeLike(inJson(text)).toLowerCase()}%`,
  );
  return { sql: pieces.map((piece) => ` AND ${piece}`).join(""), values };
}

function toLike(pattern: string): string {
  return pattern.split("*").map(escapeLike).join("%");
}

function escapeLike(text: string): string {
  return text.replaceAll(/[!%_]/g, "!$&");
}

/** As it stands in the body. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
