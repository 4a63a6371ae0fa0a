/** The connections of one process to the database: statements, transactions, and whether it can be reached. */
import type { Pool, PoolClient, QueryResult } from "pg";
import type { StoreError } from "../../core/ports/store-error.ts";
import type { Row } from "../port/row.ts";
import { loadPg, type PgDriver } from "./connect/load-pg.ts";
import {
  isConnectionLost,
  isWorthRepeating,
  NotDoneError,
  toStoreError,
  unavailable,
} from "./connect/postgres-error.ts";
import type { Connection } from "./connect/postgres-url.ts";

export interface Statements {
  /** The rows that it gives. */
  query(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** How many rows it changed. */
  run(sql: string, values?: readonly unknown[]): Promise<number>;
}

/** What only one transaction of all processes does at a time. Numbers are part of the protocol: never reused. */
export const locks = {
  migrations: 1,
  approvals: 2,
  sessions: 3,
  facts: 4,
  checkpoint: 6,
  spool: 7,
} as const;

export type Lock = keyof typeof locks;
/** Ours among all advisory locks of the database. */
const lockSpace = 0x7467;

const connectMs = 5_000;
const statementMs = 30_000;
const repeats = 5;
const tryAgainMs = 200;
/** Whoever waited for a lock sees what came meanwhile, whatever the server's default is. */
const firstStatement = `SET statement_timeout = ${statementMs}; SET default_transaction_isolation = 'read committed'`;

export class Database implements Statements {
  readonly driver: PgDriver;
  readonly connection: Connection;
  readonly #pool: Pool;
  /** The driver wants one statement at a time: whoever gets a new connection waits for its first one. */
  readonly #prepared = new WeakMap<object, Promise<unknown>>();
  #closed = false;
  /** Why it could not be reached, and when that was. */
  #lost: StoreError | undefined;
  #lostAt = 0;
  /** Who is next for a lock in this process. */
  readonly #turns = new Map<Lock, Promise<unknown>>();

  private constructor(driver: PgDriver, connection: Connection, max: number) {
    this.driver = driver;
    this.connection = connection;
    this.#pool = new driver.Pool({
      ...this.clientConfig(),
      max,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it is replaced by the next use.
    this.#pool.on("error", () => {});
    // One that breaks while it is used also fails the statement, and whoever waits for that hears of it.
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      // Not as a parameter of the start, which a pooler would refuse.
      this.#prepared.set(
        client,
        client.query(firstStatement).catch(() => {}),
      );
    });
  }

  static async open(connection: Connection, max = 8): Promise<Database> {
    return new Database(await loadPg(), connection, max);
  }

  clientConfig() {
    const { types } = this.driver;
    return {
      ...this.connection.config,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + 5_000,
      keepAlive: true,
      types: {
        // Numbers of rows and times in milliseconds fit into a number.
        getTypeParser: ((oid: number, format?: "text" | "binary") =>
          oid === 20 ? Number : types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser,
      },
    };
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#once(sql, values)).rows as Row[];
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#once(sql, values)).rowCount ?? 0;
  }

  /** Only for what may be done twice: once more where the connection broke under it. */
  async look(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return await this.query(sql, values);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return await this.query(sql, values);
    }
  }

  /** All or nothing. With `lock` one after the other, in all processes. Repeated where two stood in each other's way. */
  transaction<Result>(work: (tx: Statements) => Promise<Result>, lock?: Lock): Promise<Result> {
    if (lock === undefined) return this.#transact(work, lock);
    // Those who wait for a lock wait here, not with a connection each that others need.
    const turn = (this.#turns.get(lock) ?? Promise.resolve()).then(() => this.#transact(work, lock));
    this.#turns.set(
      lock,
      turn.catch(() => {}),
    );
    return turn;
  }

  async #transact<Result>(work: (tx: Statements) => Promise<Result>, lock?: Lock): Promise<Result> {
    for (let tries = 1; ; tries++) {
      const client = await this.#connect();
      let isCommitting = false;
      try {
        await client.query("BEGIN");
        if (lock !== undefined)
          await client.query("SELECT pg_advisory_xact_lock($1, $2)", [lockSpace, locks[lock]]);
        const result = await work(statementsOf(client));
        isCommitting = true;
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (error) {
        await this.#undo(client, isConnectionLost(error));
        if (isWorthRepeating(error) && tries < repeats) continue;
        // What was not committed is undone with the connection: on another one it may work.
        if (isConnectionLost(error) && !isCommitting && tries === 1) continue;
        throw isOwn(error) ? error : toStoreError(error, this.connection);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await whileAwake(() => this.#pool.end());
  }

  async #once(sql: string, values: readonly unknown[]): Promise<QueryResult> {
    for (let tries = 1; ; tries++) {
      const client = await this.#connect();
      try {
        const result = await client.query(sql, storable(values));
        client.release();
        return result;
      } catch (error) {
        client.release(isConnectionLost(error));
        if (isWorthRepeating(error) && tries < repeats) continue;
        const { code } = error as { readonly code?: unknown };
        throw Object.assign(toStoreError(error, this.connection), { code });
      }
    }
  }

  async #connect(): Promise<PoolClient> {
    if (this.#closed) throw unavailable(this.connection, "the store is closed");
    // Whoever comes right after one that failed does not wait for the same again.
    if (this.#lost !== undefined && performance.now() - this.#lostAt < tryAgainMs) throw this.#lost;
    try {
      const client = await this.#pool.connect();
      await this.#prepared.get(client);
      this.#lost = undefined;
      return client;
    } catch (error) {
      const told = toStoreError(error, this.connection);
      if (!isConnectionLost(error)) throw told;
      this.#lost = new NotDoneError(told.problem, told.message);
      this.#lostAt = performance.now();
      throw this.#lost;
    }
  }

  async #undo(client: PoolClient, isLost: boolean): Promise<void> {
    try {
      if (!isLost) await client.query("ROLLBACK");
      client.release(isLost);
    } catch {
      // The connection is gone, and with it the transaction.
      client.release(true);
    }
  }
}

/** Idle connections keep no process alive; whoever closes them waits for them all the same. */
export async function whileAwake<Result>(work: () => Promise<Result>): Promise<Result> {
  const awake = setInterval(() => {}, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(awake);
  }
}

function statementsOf(client: PoolClient): Statements {
  return {
    query: async (sql, values = []) => (await client.query(sql, storable(values))).rows as Row[],
    run: async (sql, values = []) => (await client.query(sql, storable(values))).rowCount ?? 0,
  };
}

/** PostgreSQL's texts hold no NUL and no half of a pair; callers make up names. */
function storable(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (typeof value === "string") return storableText(value);
    return Array.isArray(value) ? storable(value) : value;
  });
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** What the work itself threw: it is neither the network nor the database. */
function isOwn(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return severity === undefined && code === undefined && !isConnectionLost(error);
}
