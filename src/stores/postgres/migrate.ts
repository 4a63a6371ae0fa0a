/**
 * Makes and changes the tables. Each step first only adds, so that processes of the version before go on working; what
 * would break them is a later step, with `oldest` moved. Whoever is too old does not start, and stops if it runs.
 */
import { StoreError } from "../../core/ports/store-error.ts";
import type { Database, Statements } from "./database.ts";
import { first } from "./migrations/0001-first.ts";
import { living } from "./migrations/0002-living.ts";
import { replicas } from "./migrations/0003-replicas.ts";
import { leasesAndClients } from "./migrations/0004-leases-and-clients.ts";
import { appendFunction } from "./migrations/append-function.ts";
import { limitsFunction } from "./migrations/limits-function.ts";

interface Step {
  readonly sql: string;
  /** Processes that know fewer steps than this cannot use the tables after it. Default: as before. */
  readonly oldest?: number;
}

const steps: readonly Step[] = [
  { sql: first, oldest: 1 },
  // After the function that it uses.
  { sql: living + limitsFunction },
  { sql: replicas + appendFunction },
  { sql: leasesAndClients },
];

/** How many steps this version knows. */
export const schemaVersion = steps.length;

export interface Schema {
  readonly version: number;
  readonly oldest: number;
}

/** Undefined: toolgate has never used this database. */
export async function readSchema(db: Statements): Promise<Schema | undefined> {
  // By a query, not by to_regclass: that one remembers what it did not find before we waited for a lock.
  const [there] = await db.query(
    `SELECT 1 AS one FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = 'toolgate' AND c.relname = 'schema_version'`,
  );
  if (there === undefined) return undefined;
  const [row] = await db.query("SELECT version, oldest FROM toolgate.schema_version WHERE id = 1");
  return row && { version: Number(row.version), oldest: Number(row.oldest) };
}

export function checkSchema({ oldest, version }: Schema, shown: string): void {
  if (oldest <= schemaVersion) return;
  throw new StoreError(
    "newer",
    `The store ${shown} was changed by a newer toolgate (its tables are of step ${version}, this toolgate knows ${schemaVersion}). Install that version here, too.`,
  );
}

export async function migrate(db: Database): Promise<void> {
  const { shown } = db.connection;
  const known = await readSchema(db);
  if (known !== undefined) checkSchema(known, shown);
  if ((known?.version ?? 0) >= schemaVersion) return;
  await db.transaction(async (tx) => {
    // Once more: somebody else may have done it while we waited for the lock.
    const now = await readSchema(tx);
    if (now === undefined) await begin(tx);
    else checkSchema(now, shown);
    const from = now?.version ?? 0;
    for (const [index, { sql, oldest }] of steps.entries()) {
      if (index < from) continue;
      await tx.run(sql);
      await tx.run(
        "UPDATE toolgate.schema_version SET version = $1, oldest = GREATEST(oldest, $2) WHERE id = 1",
        [index + 1, oldest ?? 0],
      );
    }
  }, "migrations");
}

async function begin(tx: Statements): Promise<void> {
  await tx.run("CREATE SCHEMA IF NOT EXISTS toolgate");
  await tx.run(
    "CREATE TABLE toolgate.schema_version (id integer PRIMARY KEY CHECK (id = 1), version integer NOT NULL, oldest integer NOT NULL)",
  );
  await tx.run("INSERT INTO toolgate.schema_version VALUES (1, 0, 0)");
}
