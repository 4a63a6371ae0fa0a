/** Finding and counting rows: fixed pieces of SQL that SQLite and PostgreSQL share, and bound values. */
import type { LedgerFilter, LedgerStats } from "../../core/ports/ledger-reader.ts";

/** What the two write differently. */
export interface Dialect {
  /** With its schema. */
  readonly table: string;
  /** The function that says where a text stands in another, from 1. */
  readonly find: string;
  /** The value of `toolUseId` in a body. */
  readonly toolUseId: string;
}

type Value = string | number;

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

export interface Look {
  readonly filter: LedgerFilter;
  readonly order: "newest" | "oldest";
  readonly limit: number;
  /** Exclusive, in the direction of the order. */
  readonly after: number | undefined;
}

const defaultKinds = ["completion", "unknown"];

/** The questions for statistics. `first`: the first row that can tell of the time in the filter. */
export function statsQueries(filter: LedgerFilter, first: number, dialect: Dialect) {
  const { table } = dialect;
  const asked = where(filter, dialect);
  const sql = ` AND seq >= ?${asked.sql}`;
  const values = [first, ...asked.values];
  const calls = " AND kind = 'completion'";
  const count = (name: string, more = "", limit = 50): Condition => ({
    sql: `SELECT ${name} AS name, count(*) AS count FROM ${table} WHERE 1 = 1${sql}${more} GROUP BY ${name} ORDER BY count(*) DESC, ${name} LIMIT ${limit}`,
    values,
  });
  return {
    kinds: count("kind"),
    verdicts: count("verdict", calls),
    tools: count("tool", `${calls} AND tool IS NOT NULL`),
    refused: count("tool", `${calls} AND verdict = 'deny'`, 10_000),
    callers: count("caller", `${calls} AND caller IS NOT NULL`),
    codes: count("code", `${calls} AND code IS NOT NULL`),
    days: count("at / 86400000", calls, 10_000),
    medians: {
      sql: `WITH ordered AS (SELECT tool, duration_ms, row_number() OVER (PARTITION BY tool ORDER BY duration_ms) AS place,
          count(*) OVER (PARTITION BY tool) AS total FROM ${table} WHERE duration_ms IS NOT NULL${sql}${calls})
        SELECT tool AS name, duration_ms AS count FROM ordered WHERE place = (total + 1) / 2`,
      values,
    },
  };
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

export type StatsAnswers = Readonly<Record<keyof ReturnType<typeof statsQueries>, readonly Counted[]>>;

export function toStats(found: StatsAnswers): LedgerStats {
  const byName = (counted: readonly Counted[]) => new Map(counted.map(({ name, count }) => [name, count]));
  const kinds = byName(found.kinds);
  const refused = byName(found.refused);
  const medians = byName(found.medians);
  return {
    calls: kinds.get("completion") ?? 0,
    unknown: kinds.get("unknown") ?? 0,
    byVerdict: found.verdicts,
    byTool: found.tools.map((one) => ({
      ...one,
      refused: refused.get(one.name) ?? 0,
      medianMs: medians.get(one.name),
    })),
    byCaller: found.callers,
    byCode: found.codes,
    byDay: found.days
      .map(({ name, count }) => ({
        name: new Date(Number(name) * 86_400_000).toISOString().slice(0, 10),
        count,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

/** Beginning with AND; values stand where a `?` is. */
export function where(filter: LedgerFilter, dialect: Dialect): Condition {
  const { since, until, tool, caller, session, toolUseId, verdict, code, text, notCalls } = filter;
  const { kinds = defaultKinds } = filter;
  const pieces: string[] = [];
  const values: Value[] = [];
  const add = (piece: string, value: Value | undefined) => {
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
    pieces.push(`CASE WHEN ${dialect.find}(body, ?) > 0 THEN ${dialect.toolUseId} = ? END`);
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
