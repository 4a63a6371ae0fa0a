/** How a database is: for whoever sets it up, or wonders what is wrong. Changes nothing, and makes no tables. */
import type { PostgresPlace } from "../../core/ports/store.ts";
import { toConnection } from "./connect/postgres-url.ts";
import { type ConnectionFacts, readConnectionFacts } from "./connection-facts.ts";
import { Database } from "./database.ts";
import { lastSigned } from "./ledger/checkpoints.ts";
import { readHead } from "./ledger/head.ts";
import { readSchema, schemaVersion } from "./migrate.ts";

export interface PostgresStatus {
  readonly kind: "postgres";
  /** Without the password. */
  readonly place: string;
  readonly serverVersion: string;
  /** The fastest of a few. */
  readonly latencyMs: number;
  /** How far the clock of the database is ahead of this machine's. */
  readonly clockDifferenceMs: number;
  /** Steps of the tables: those of the database, and those that this toolgate knows. */
  readonly schema: { readonly version: number; readonly oldest: number; readonly known: number } | undefined;
  /** Undefined: toolgate has not used it yet. */
  readonly ledger:
    | { readonly id: string; readonly rows: number; readonly blocks: number; readonly signedRow: number }
    | undefined;
  readonly processes: readonly PostgresProcess[];
  readonly bytes: number;
  readonly connection: ConnectionFacts;
}

export interface PostgresProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly seenMsAgo: number;
  readonly isLiving: boolean;
  /** Of those that serve: by which rules they decide. */
  readonly rulesVersion: string | undefined;
}

const looks = 5;

export async function readPostgresStatus(place: PostgresPlace): Promise<PostgresStatus> {
  const db = await Database.open(toConnection(place), 1);
  try {
    const [about] = await db.query(
      "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes",
    );
    const schema = await readSchema(db);
    return {
      kind: "postgres",
      place: db.connection.shown,
      serverVersion: String(about?.version),
      bytes: Number(about?.bytes),
      ...(await compareClocks(db)),
      schema: schema && { ...schema, known: schemaVersion },
      connection: await readConnectionFacts(db, schema !== undefined),
      ...(await look(db, (schema?.version ?? 0) >= schemaVersion)),
    };
  } finally {
    await db.close();
  }
}

async function compareClocks(db: Database): Promise<Pick<PostgresStatus, "latencyMs" | "clockDifferenceMs">> {
  let latencyMs = Number.POSITIVE_INFINITY;
  let clockDifferenceMs = 0;
  for (let count = 0; count < looks; count++) {
    const [sent, began] = [Date.now(), performance.now()];
    const [row] = await db.query("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now");
    const took = performance.now() - began;
    if (took >= latencyMs) continue;
    latencyMs = took;
    clockDifferenceMs = Math.round(Number(row?.now) - sent - took / 2);
  }
  return { latencyMs: Math.round(latencyMs * 10) / 10, clockDifferenceMs };
}

async function look(db: Database, isThere: boolean): Promise<Pick<PostgresStatus, "ledger" | "processes">> {
  if (!isThere) return { ledger: undefined, processes: [] };
  const [hasHead] = await db.query("SELECT 1 AS one FROM toolgate.ledger_head");
  const head = hasHead && (await readHead(db));
  const rows = await db.query(
    `SELECT id, host, pid, floor(extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint AS ago,
       toolgate.is_living(seen) AS living, rules_version FROM toolgate.nodes ORDER BY started_at`,
  );
  return {
    ledger: head && {
      id: head.ledgerId,
      rows: head.seq - head.cutSeq,
      blocks: head.block - head.cutBlock,
      signedRow: await lastSigned(db),
    },
    processes: rows.map((row) => ({
      id: String(row.id),
      host: String(row.host),
      pid: Number(row.pid),
      seenMsAgo: Number(row.ago),
      isLiving: row.living === true,
      rulesVersion: row.rules_version === null ? undefined : String(row.rules_version),
    })),
  };
}
