/** Copies what is no ledger from a database into the state folder: as it is there, also what was taken back. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Seen } from "../../core/ports/pins.ts";
import { createFilePins } from "../files/file-pins.ts";
import { createFileTokens } from "../files/file-tokens.ts";
import type { PostgresContext } from "../postgres/context.ts";
import { createPostgresPins } from "../postgres/pins.ts";
import { createPostgresTokens } from "../postgres/tokens.ts";
import { type CopiedParts, tables } from "./copy-tables.ts";

export async function copyPartsBack(context: PostgresContext, target: DatabaseSync): Promise<CopiedParts> {
  const rows: Record<string, number> = {};
  for (const { name } of tables) rows[name] = await copyTable(context, target, name);
  return { rows, tokens: await copyTokens(context), pins: await copyPins(context) };
}

async function copyTable({ db }: PostgresContext, target: DatabaseSync, name: string): Promise<number> {
  const columns = target
    .prepare(`SELECT name FROM pragma_table_info('${name}')`)
    .all()
    .map((column) => String(column.name));
  const rows = await db.look(`SELECT ${columns.join(", ")} FROM toolgate.${name}`);
  const insert = target.prepare(
    `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  target.exec("BEGIN IMMEDIATE");
  try {
    target.exec(`DELETE FROM ${name}`);
    for (const row of rows) insert.run(...columns.map((column) => toSqlite(row[column])));
    target.exec("COMMIT");
  } catch (error) {
    target.exec("ROLLBACK");
    throw error;
  }
  return rows.length;
}

function toSqlite(value: unknown): SQLInputValue {
  return typeof value === "boolean" ? Number(value) : (value as SQLInputValue);
}

/** A token that was revoked in the database must not come back with the file. */
async function copyTokens({ db, stateFolder }: PostgresContext): Promise<number> {
  const list = await createPostgresTokens(db).list();
  if (!list.ok) throw new Error(list.message);
  const { tokens } = list;
  return createFileTokens(stateFolder).change(() => ({ tokens: [...tokens], result: tokens.length }));
}

async function copyPins({ db, bells, stateFolder }: PostgresContext): Promise<number> {
  const [from, to] = [createPostgresPins(db, bells), createFilePins(stateFolder)];
  const keys = await db.look("SELECT key FROM toolgate.pins WHERE kind = 'accepted'");
  for (const key of keys.map((row) => String(row.key))) {
    const accepted = await from.accepted(key);
    if (accepted === undefined) continue;
    await to.change(key, () => accepted);
    const seen: Seen | undefined = await from.seen(key);
    if (seen !== undefined) await to.saw(key, seen);
  }
  return keys.length;
}
