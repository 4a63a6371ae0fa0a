/** Copies what is no ledger from the state folder into a database. Done twice, it adds nothing. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { createFilePins } from "../files/file-pins.ts";
import { createFileTokens } from "../files/file-tokens.ts";
import type { PostgresContext } from "../postgres/context.ts";
import type { Statements } from "../postgres/database.ts";
import { createPostgresPins } from "../postgres/pins.ts";
import { createPostgresTokens } from "../postgres/tokens.ts";

/** Both databases name tables and columns alike. */
export const tables = [
  { name: "approvals", key: "id", numbered: true },
  { name: "grants", key: "id", numbered: true },
  { name: "sessions", key: "id", numbered: true },
  { name: "session_items", key: "session, seq", numbered: false },
  { name: "session_prompts", key: "session, number", numbered: false },
  { name: "limit_calls", key: "limit_name, who, at", numbered: false },
  { name: "ledger_told", key: "name", numbered: false },
] as const;

export interface CopiedParts {
  /** How many rows of each table are new. */
  readonly rows: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly pins: number;
}

export async function copyParts(source: DatabaseSync, context: PostgresContext): Promise<CopiedParts> {
  const rows: Record<string, number> = {};
  for (const table of tables)
    rows[table.name] = await context.db.transaction((tx) => copyTable(source, tx, table));
  return { rows, tokens: await copyTokens(context), pins: await copyPins(context) };
}

async function copyTable(
  source: DatabaseSync,
  tx: Statements,
  { name, key, numbered }: (typeof tables)[number],
): Promise<number> {
  let added = 0;
  for (const row of source.prepare(`SELECT * FROM ${name}`).iterate() as Iterable<Record<string, unknown>>) {
    const columns = Object.keys(row);
    const values = columns.map((column) => (column === "reject_others" ? row[column] === 1 : row[column]));
    added += await tx.run(
      `INSERT INTO toolgate.${name} (${columns.join(", ")})${numbered ? " OVERRIDING SYSTEM VALUE" : ""}
       VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}) ON CONFLICT (${key}) DO NOTHING`,
      values,
    );
  }
  if (numbered)
    await tx.run(
      `SELECT setval(pg_get_serial_sequence('toolgate.${name}', 'number'), GREATEST(1, (SELECT max(number) FROM toolgate.${name})))`,
    );
  return added;
}

async function copyTokens({ db, stateFolder }: PostgresContext): Promise<number> {
  const list = await createFileTokens(stateFolder).list();
  if (!list.ok) throw new Error(list.message);
  return createPostgresTokens(db).change((now) => {
    const known = new Set(now.map(({ name }) => name));
    const added = list.tokens.filter(({ name }) => !known.has(name));
    return { tokens: added.length === 0 ? now : [...now, ...added], result: added.length };
  });
}

async function copyPins({ db, bells, stateFolder }: PostgresContext): Promise<number> {
  const [from, to] = [createFilePins(stateFolder), createPostgresPins(db, bells)];
  let added = 0;
  for (const name of namesIn(join(stateFolder, "upstreams"))) {
    const key = /^(.*)\.accepted\.json$/.exec(name)?.[1];
    const accepted = key === undefined ? undefined : await from.accepted(key);
    if (key === undefined || accepted === undefined) continue;
    if ((await to.acceptFirst(key, accepted)) === undefined) added++;
    const seen = await from.seen(key);
    if (seen !== undefined) await to.saw(key, seen);
  }
  return added;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
