/** Opens the store's file: private, in WAL mode, in the present form. Refuses what is something else. */
import { closeSync, constants, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../core/call/errors.ts";
import { StoreError } from "../../core/ports/store-error.ts";
import { explainOldSqlite } from "../../safe/files/sqlite-version.ts";
import { longLog } from "./copy-back.ts";
import { migrations } from "./migrations.ts";
import { patiently } from "./patiently.ts";
import { toStoreError } from "./store-error.ts";

/** "TgSt": tells our file from any other database. */
const applicationId = 0x54675374;

const openTimeoutMs = 5_000;

export interface DatabaseOptions {
  readonly file: string;
  /** `process-death`: what is acknowledged survives kill -9. `power-loss`: also a machine that goes out. */
  readonly durability: "process-death" | "power-loss";
  /** For tests of a full disk. */
  readonly maxPages?: number | undefined;
}

export async function openDatabase(options: DatabaseOptions): Promise<DatabaseSync> {
  const { file } = options;
  // Only when it is needed: some versions of Node print a warning for it.
  const { DatabaseSync } = await import("node:sqlite");
  makePrivate(file);
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(file, { timeout: openTimeoutMs, enableForeignKeyConstraints: true });
    database = opened;
    // As a whole: several processes that make the file together get in each other's way at any statement.
    patiently(() => prepare(opened, options));
    // From now on no waiting inside SQLite: its pauses grow to 100 ms, ours stay short.
    opened.exec("PRAGMA busy_timeout = 0");
    return opened;
  } catch (error) {
    database?.close();
    throw toStoreError(error, file);
  }
}

/** SQLite would make it readable for others; its side files take over the mode. */
function makePrivate(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A link would lead elsewhere, a pipe would keep us waiting.
    const flags =
      constants.O_WRONLY | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const fd = openSync(file, flags, 0o600);
    const stat = fstatSync(fd);
    closeSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isReadOnly = code === "EROFS" || code === "EACCES" || code === "EPERM";
    throw new StoreError(
      isReadOnly ? "read_only" : code === "ENOSPC" ? "full" : "cannot_open",
      `The store ${file} cannot be written: ${messageOf(error)}. Nothing runs without a record; make the state folder writable.`,
    );
  }
}

function prepare(database: DatabaseSync, { file, durability, maxPages }: DatabaseOptions): void {
  const old = explainOldSqlite("The store", String(one(database, "SELECT sqlite_version() AS value")));
  if (old !== undefined) throw new StoreError("old_sqlite", old);
  database.exec("PRAGMA trusted_schema = OFF");
  // In KB. The system keeps the file in memory, too; a larger one of our own made nothing faster.
  database.exec("PRAGMA cache_size = -512");
  // Rows are appended in groups: fewer and larger pages are written faster. A file that exists keeps its own.
  database.exec("PRAGMA page_size = 8192");
  // Without an error it may stay as it was, and then others can be in our way at every commit.
  const mode = database.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
  if (mode !== "wal")
    throw new StoreError(
      "cannot_open",
      `${file} is on a file system that cannot share it (WAL mode is refused).`,
    );
  database.exec(`PRAGMA synchronous = ${durability === "power-loss" ? "FULL" : "NORMAL"}`);
  database.exec(`PRAGMA wal_autocheckpoint = ${longLog}`);
  // What a burst has made longer is given back.
  database.exec("PRAGMA journal_size_limit = 16777216");
  if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${Math.trunc(maxPages)}`);
  // Checked and changed under one lock: of two processes that start together one makes the tables.
  database.exec("BEGIN IMMEDIATE");
  try {
    migrate(database, file);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function migrate(database: DatabaseSync, file: string): void {
  const id = one(database, "SELECT application_id AS value FROM pragma_application_id");
  const version = Number(one(database, "SELECT user_version AS value FROM pragma_user_version"));
  const isEmpty = one(database, "SELECT count(*) AS value FROM sqlite_schema") === 0;
  if (id !== applicationId && !isEmpty)
    throw new StoreError("foreign", `${file} is a database of something else; toolgate does not touch it.`);
  if (version > migrations.length)
    throw new StoreError(
      "newer",
      `${file} was made by a newer toolgate (form ${version}, this one knows ${migrations.length}): update toolgate.`,
    );
  if (version === migrations.length) return;
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

function one(database: DatabaseSync, sql: string): unknown {
  return database.prepare(sql).get()?.value;
}
