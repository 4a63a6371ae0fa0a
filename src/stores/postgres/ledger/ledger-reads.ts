/** Finds and counts rows of the ledger in PostgreSQL. */
import type {
  LedgerFilter,
  LedgerHistogram,
  LedgerRuleCounts,
  LedgerSpan,
  LedgerStats,
} from "../../../core/ports/ledger-reader.ts";
import {
  type Condition,
  type Dialect,
  type Look,
  statsQueries,
  toStats,
  where,
} from "../../ledger/search-sql.ts";
import type { Row } from "../../port/row.ts";
import type { Database } from "../database.ts";
import { numbered } from "../insert.ts";
import { firstSince, readHead } from "./head.ts";

const dialect: Dialect = {
  table: "toolgate.ledger",
  find: "strpos",
  toolUseId: "body::json ->> 'toolUseId'",
};

/** So many rows are looked at in one go. */
const rowsAtOnce = 50_000;

export async function look(
  db: Database,
  { filter, order, limit, after }: Look,
): Promise<{ readonly rows: readonly Row[]; readonly next: number | undefined }> {
  const { cutSeq, seq: last } = await readHead(db);
  const { since } = filter;
  const first = Math.max(cutSeq + 1, since === undefined ? 0 : await firstSince(db, since));
  const { sql, values } = where(filter, dialect);
  const isNewest = order === "newest";
  const from = isNewest
    ? Math.min(last, (after ?? Number.MAX_SAFE_INTEGER) - 1)
    : Math.max(first, (after ?? 0) + 1);
  const to = isNewest ? Math.max(first, from - rowsAtOnce + 1) : Math.min(last, from + rowsAtOnce - 1);
  const rows = await db.look(
    numbered(
      `SELECT * FROM toolgate.ledger WHERE seq >= ? AND seq <= ?${sql} ORDER BY seq${isNewest ? " DESC" : ""} LIMIT ?`,
    ),
    [isNewest ? to : from, isNewest ? from : to, ...values, limit],
  );
  const next = rows.length === limit ? Number(rows.at(-1)?.seq) : to;
  return { rows, next: (isNewest ? next > first : next < last) ? next : undefined };
}

export async function countAll(db: Database, filter: LedgerFilter): Promise<LedgerStats> {
  const first = filter.since === undefined ? 0 : await firstSince(db, filter.since);
  const queries = statsQueries(filter, first, dialect);
  const ask = async ({ sql, values }: Condition) =>
    (await db.look(numbered(sql), values)).map((row) => ({
      name: String(row.name),
      count: Number(row.count),
    }));
  const [kinds, verdicts, tools, refused, callers, codes, days, medians] = await Promise.all([
    ask(queries.kinds),
    ask(queries.verdicts),
    ask(queries.tools),
    ask(queries.refused),
    ask(queries.callers),
    ask(queries.codes),
    ask(queries.days),
    ask(queries.medians),
  ]);
  return toStats({ kinds, verdicts, tools, refused, callers, codes, days, medians });
}

/** The rows of a span, and what else the filter asks for. */
async function within(db: Database, filter: LedgerFilter, { since, until }: LedgerSpan): Promise<Condition> {
  const first = await firstSince(db, since);
  const { sql, values } = where({ ...filter, since, until }, dialect);
  return { sql: `seq >= ?${sql}`, values: [first, ...values] };
}

const empty = { allow: 0, ask: 0, deny: 0, abstain: 0, failed: 0, unknown: 0 };

export async function histogram(
  db: Database,
  filter: LedgerFilter,
  { since, until, buckets }: LedgerSpan & { readonly buckets: number },
): Promise<LedgerHistogram> {
  const bucketMs = Math.max(1, (until - since) / buckets);
  const { sql, values } = await within(db, filter, { since, until });
  const rows = await db.look(
    numbered(
      `SELECT LEAST(?::integer - 1, floor((at - ?::double precision) / ?::double precision))::integer AS bucket,
         count(*) FILTER (WHERE verdict = 'allow') AS allow, count(*) FILTER (WHERE verdict = 'ask') AS ask,
         count(*) FILTER (WHERE verdict = 'deny') AS deny, count(*) FILTER (WHERE verdict = 'abstain') AS abstain,
         count(*) FILTER (WHERE verdict = 'allow' AND code IS NOT NULL) AS failed,
         count(*) FILTER (WHERE kind = 'unknown') AS unknown, count(*) AS scanned,
         percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS p50,
         percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95
       FROM toolgate.ledger WHERE ${sql} GROUP BY 1`,
    ),
    [buckets, since, bucketMs, ...values],
  );
  const byBucket = new Map(rows.map((row) => [Number(row.bucket), row]));
  const scanned = rows.reduce((sum, row) => sum + Number(row.scanned), 0);
  return {
    since,
    until,
    bucketMs,
    scanned,
    complete: true,
    buckets: Array.from({ length: buckets }, (_, index) => {
      const row = byBucket.get(index);
      const at = since + index * bucketMs;
      if (row === undefined) return { at, ...empty };
      const counts = Object.fromEntries(Object.keys(empty).map((name) => [name, Number(row[name])]));
      return {
        at,
        ...(counts as typeof empty),
        ...(row.p50 !== null && { p50Ms: round(Number(row.p50)), p95Ms: round(Number(row.p95)) }),
      };
    }),
  };
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/** A rule that was moved in its file, or got another priority, is still the same; where it stands now is shown. */
export async function countRules(
  db: Database,
  filter: LedgerFilter,
  { byCode, ...span }: LedgerSpan & { readonly byCode: boolean },
): Promise<LedgerRuleCounts> {
  const { sql, values } = await within(db, filter, span);
  const rows = await db.look(
    numbered(
      `WITH r AS (
         SELECT seq, at, verdict, ${byCode ? "code" : "NULL::text AS code"},
           CASE WHEN strpos(body, '"rule":{') > 0 THEN body::json -> 'rule' END AS rule,
           strpos(body, '"approval":{') > 0 AND body::json -> 'approval' IS NOT NULL AS asked
         FROM toolgate.ledger WHERE ${sql}
       )
       SELECT (array_agg(rule::text ORDER BY seq DESC))[1] AS rule, code, count(*) AS count, max(at) AS last_at,
         count(*) FILTER (WHERE asked) AS ask, count(*) FILTER (WHERE NOT asked AND verdict = 'deny') AS deny,
         (SELECT count(*) FROM r) AS records
       FROM r WHERE rule IS NOT NULL OR code IS NOT NULL
       GROUP BY rule ->> 'kind', rule ->> 'name', rule -> 'source' ->> 'file', code ORDER BY count(*) DESC`,
    ),
    values,
  );
  return {
    records: Number(rows[0]?.records ?? 0),
    complete: true,
    rules: rows.map((row) => {
      const [count, ask, deny] = [Number(row.count), Number(row.ask), Number(row.deny)];
      return {
        rule: row.rule === null ? undefined : JSON.parse(String(row.rule)),
        code: row.code === null ? undefined : String(row.code),
        count,
        lastAt: Number(row.last_at),
        allow: count - ask - deny,
        ask,
        deny,
      };
    }),
  };
}
