/** What the way to the database lets through and what the role may do: for whoever sets it up. Changes nothing. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Database } from "./database.ts";

export interface ConnectionFacts {
  /** Somebody between us and the server hands out its connections. */
  readonly isPooled: boolean;
  /** Bells are heard. Not so behind PgBouncer in transaction mode. */
  readonly hearsBells: boolean;
  /** A standby that only reads. */
  readonly isReadOnly: boolean;
  /** Settings with which the server may lose what it has acknowledged. */
  readonly unsafe: readonly string[];
  readonly role: RoleFacts;
}

export interface RoleFacts {
  readonly name: string;
  readonly isSuperuser: boolean;
  /** It could change or remove records. Undefined: there are no tables yet. */
  readonly canChangeRecords: boolean | undefined;
  /** What it lacks: `SELECT on toolgate.pins`. */
  readonly missing: readonly string[];
}

const bellMs = 1_000;

export async function readConnectionFacts(db: Database, hasTables: boolean): Promise<ConnectionFacts> {
  const client = new db.driver.Client(db.clientConfig());
  client.on("error", () => {});
  await client.connect();
  try {
    const [row] = (
      await client.query(
        "SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS reads, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
      )
    ).rows as Record<string, unknown>[];
    // A pooler makes up the number that it tells a client at the start.
    const told = (client as unknown as { readonly processID?: number }).processID;
    return {
      isPooled: told !== undefined && told !== row?.pid,
      hearsBells: await hears(client, db),
      isReadOnly: row?.reads === true,
      unsafe: [
        ...(row?.fsync === "off" ? ["fsync = off"] : []),
        ...(row?.commit === "off" ? ["synchronous_commit = off"] : []),
      ],
      role: await readRole(db, hasTables),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether what another connection rings comes here. */
async function hears(client: Client, db: Database): Promise<boolean> {
  const channel = `toolgate_${randomBytes(6).toString("hex")}`;
  const heard = new Promise<boolean>((resolve) => client.once("notification", () => resolve(true)));
  try {
    await client.query(`LISTEN ${channel}`);
    await db.run("SELECT pg_notify($1, 'x')", [channel]);
  } catch {
    // A standby has no bells either.
    return false;
  }
  return Promise.race([heard, sleep(bellMs, false)]);
}

async function readRole(db: Database, hasTables: boolean): Promise<RoleFacts> {
  const [row] = await db.query(
    `SELECT current_user AS name, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super,
       has_database_privilege(current_database(), 'CREATE') AS create`,
  );
  const about = { name: String(row?.name), isSuperuser: row?.super === true };
  if (!hasTables)
    return {
      ...about,
      canChangeRecords: undefined,
      missing: row?.create === true ? [] : ["CREATE on the database"],
    };
  const [ledger] = await db.query(
    `SELECT has_table_privilege(c.oid, 'UPDATE') OR has_table_privilege(c.oid, 'DELETE') AS change
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'toolgate' AND c.relname = 'ledger'`,
  );
  const missing = await db.query(
    `SELECT need || ' on toolgate.' || c.relname AS what FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
       unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS need
     WHERE n.nspname = 'toolgate' AND c.relkind = 'r' AND NOT has_table_privilege(c.oid, need)
       AND (need = 'SELECT' OR (c.relname NOT LIKE 'ledger%' AND c.relname <> 'schema_version'))
     UNION ALL SELECT 'EXECUTE on toolgate.' || p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'toolgate' AND NOT has_function_privilege(p.oid, 'EXECUTE') ORDER BY 1`,
  );
  return {
    ...about,
    canChangeRecords: ledger?.change === true,
    missing: missing.map(({ what }) => String(what)),
  };
}
