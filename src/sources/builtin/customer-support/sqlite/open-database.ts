/** Opens the support database: for its owner only, in WAL mode, in today's form. Others are refused. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { messageOf, ToolgateError } from "../../../../core/call/errors.ts";
import { explainOldSqlite } from "../../../../safe/files/sqlite-version.ts";
import { migrations } from "./migrations.ts";

/** "TgSu": tells our file from any other database. */
const applicationId = 0x54675375;
/** A writer that waits stops the whole process meanwhile, so it does not wait long. */
const busyTimeoutMs = 1_000;
/** Nothing else waits yet when it is opened, and others may be making its tables. */
const openingTimeoutMs = 5_000;

export async function openDatabase(file: string): Promise<DatabaseSync> {
  if (!isAbsolute(file))
    throw new ToolgateError(`The support database needs an absolute path, not ${JSON.stringify(file)}.`);
  // Only when it is needed: some versions of Node print a warning for it.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite would make it readable for others; its side files take over the mode.
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new ToolgateError(`The support database ${file} cannot be made: ${messageOf(error)}`);
  }
  const database = new DatabaseSync(file, { timeout: openingTimeoutMs, enableForeignKeyConstraints: true });
  try {
    prepare(database, file);
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof ToolgateError) throw error;
    throw new ToolgateError(`The support database ${file} cannot be used: ${messageOf(error)}`);
  }
}

function prepare(database: DatabaseSync, file: string): void {
  const old = explainOldSqlite(
    "The support database",
    String(one(database, "SELECT sqlite_version() AS value")),
  );
  if (old !== undefined) throw new ToolgateError(old);
  database.exec("PRAGMA trusted_schema = OFF");
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  // Checked and changed under one lock: of two processes that start together one makes the tables.
  database.exec("BEGIN IMMEDIATE");
  try {
    migrate(database, file);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function migrate(database: DatabaseSync, file: string): void {
  const id = one(database, "SELECT application_id AS value FROM pragma_application_id");
  const version = Number(one(database, "SELECT user_version AS value FROM pragma_user_version"));
  const isEmpty = one(database, "SELECT count(*) AS value FROM sqlite_schema") === 0;
  if (id !== applicationId && !isEmpty)
    throw new ToolgateError(`${file} is a database of something else; name another file for support.`);
  if (version > migrations.length)
    throw new ToolgateError(
      `${file} was made by a newer toolgate (form ${version}, this one knows ${migrations.length}): update toolgate.`,
    );
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

function one(database: DatabaseSync, sql: string): unknown {
  return database.prepare(sql).get()?.value;
}
