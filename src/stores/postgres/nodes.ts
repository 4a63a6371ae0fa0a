/** Who uses the store. Each process registers and says every few seconds that it is there, by the database's clock. */
import type { Processes } from "../../core/ports/store.ts";
import { identifyOurselves, isAlive } from "../port/process-place.ts";
import { optionalNumber, type Row } from "../port/row.ts";
import type { PostgresContext } from "./context.ts";
import type { Statements } from "./database.ts";
import { checkSchema, readSchema, schemaVersion } from "./migrate.ts";

export const heartbeatMs = 5_000;

export async function registerNode({ db, nodeId }: Pick<PostgresContext, "db" | "nodeId">): Promise<void> {
  const { host, boot, pidSpace, pid, startTicks } = identifyOurselves();
  await db.run(
    `INSERT INTO toolgate.nodes (id, host, boot, pid_space, pid, start_ticks, schema_version, open_from_seq)
     SELECT $1, $2, $3, $4, $5, $6, $7, seq + 1 FROM toolgate.ledger_head ON CONFLICT (id) DO UPDATE SET seen = now()`,
    [nodeId, host, boot, pidSpace, pid, startTicks, schemaVersion],
  );
}

/** Others took it for dead, and it lives. */
export function registerAnew(context: PostgresContext): Promise<void> {
  return context.lives.begin(() => registerNode(context));
}

export interface Heartbeat {
  /** The ledger's last row at that moment. */
  readonly headSeq: number;
}

/** Also compares the clocks, and notices when the tables were changed by a version that this one cannot follow. */
export async function beat(context: PostgresContext, openFromSeq: number): Promise<Heartbeat> {
  const { db, nodeId, clock, rules } = context;
  const sent = Date.now();
  const [row] = await db.query(
    `WITH me AS (UPDATE toolgate.nodes SET seen = clock_timestamp(), open_from_seq = $2, rules_version = $3
       WHERE id = $1 RETURNING id)
     SELECT (SELECT count(*) FROM me) AS seen, (SELECT count(DISTINCT rules_version) FROM toolgate.nodes
         WHERE id <> $1 AND rules_version <> $3 AND toolgate.is_living(seen)) AS other_rules, (SELECT seq FROM toolgate.ledger_head) AS head,
       floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
    [nodeId, openFromSeq, rules.own ?? null],
  );
  rules.others = Number(row?.other_rules);
  clock.compare(Number(row?.now), sent, Date.now());
  // One that was asleep for long was taken for dead.
  if (Number(row?.seen) === 0) await registerAnew(context);
  const schema = await readSchema(db);
  if (schema !== undefined) checkSchema(schema, db.connection.shown);
  return { headSeq: Number(row?.head) };
}

export function createProcesses({ db, nodeId, rules }: PostgresContext): Processes {
  return {
    id: nodeId,
    rules: {
      async say(version) {
        rules.own = version;
        await db.run("UPDATE toolgate.nodes SET rules_version = $2 WHERE id = $1", [nodeId, version]);
      },
      get differ() {
        return rules.others > 0;
      },
    },
    async living() {
      const dead = new Set((await deadNodes(db, nodeId)).map(({ id }) => id));
      const rows = await db.look("SELECT id FROM toolgate.nodes ORDER BY started_at");
      return rows.map((row) => String(row.id)).filter((id) => !dead.has(id));
    },
  };
}

export interface DeadNode {
  readonly id: string;
  readonly openFromSeq: number;
}

/**
 * Silent for too long, or known to be gone because it ran on this machine. `lock`: nobody else deals with them, and nothing
 * of theirs is being written; the others are left for the next time.
 */
export async function deadNodes(db: Statements, ownId: string, lock = false): Promise<DeadNode[]> {
  const here = identifyOurselves();
  const look = async (more: string, values: readonly unknown[]) => {
    const rows = await db.query(
      `SELECT *, NOT toolgate.is_living(seen) AS silent FROM toolgate.nodes WHERE id <> $1 ${more}`,
      [ownId, ...values],
    );
    return rows
      .filter((row) => row.silent === true || isGoneHere(row, here))
      .map((row) => ({ id: String(row.id), openFromSeq: Number(row.open_from_seq) }));
  };
  const dead = await look("", []);
  // Of the living none is locked: they could neither write nor say that they are there.
  return lock && dead.length > 0
    ? look("AND id = ANY($2) FOR UPDATE SKIP LOCKED", [dead.map(({ id }) => id)])
    : dead;
}

function isGoneHere(row: Row, here: ReturnType<typeof identifyOurselves>): boolean {
  const place = {
    host: String(row.host),
    boot: String(row.boot),
    pidSpace: String(row.pid_space),
    pid: Number(row.pid),
    startTicks: optionalNumber(row.start_ticks) ?? null,
  };
  const isHere = place.host === here.host && place.boot === here.boot && place.pidSpace === here.pidSpace;
  // Only of processes whose pids we can see; of others their silence tells.
  return isHere && place.boot !== "" && !isAlive({ ...place, seenAt: 0 }, here, 0);
}
