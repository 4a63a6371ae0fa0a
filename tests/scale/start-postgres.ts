/**
 * A real PostgreSQL for tests. `createDatabase` makes a database in the one server that all files share (one-postgres.ts starts it);
 * `startPostgres` starts a server of its own, for tests that stop it.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { asUser, findBinaries, sharedServer, whyNoBinaries, whyNoPostgres } from "./postgres-binaries.ts";

export interface TestPostgres {
  /** Its database `postgres`. */
  readonly url: string;
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  readonly control: PostgresControl;
  close(): Promise<void>;
}

interface PostgresControl {
  /** `fast` ends connections in order; `immediate` as a crash does. */
  stop(how?: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** A second server that has every commit before it is acknowledged. Restarts the first one. */
  addStandby(): Promise<{ readonly port: number; promote(): Promise<void> }>;
}

const run = promisify(execFile);

/** A new, empty database in the shared server. */
export async function createDatabase(): Promise<string> {
  const url = sharedServer();
  if (url === undefined) throw new Error(whyNoPostgres);
  return createDatabaseIn(url);
}

export async function startPostgres(): Promise<TestPostgres> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error(whyNoBinaries);
  const folder = mkdtempSync(join(tmpdir(), "toolgate-postgres-"));
  if (asUser.uid !== undefined) {
    chownSync(folder, asUser.uid, asUser.gid);
    chmodSync(folder, 0o700);
  }
  const data = join(folder, "data");
  const options = { cwd: folder, ...asUser, env: { HOME: folder, LC_ALL: "C" } };
  await run(
    join(binaries, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  const server = createServer({ binaries, data, port: await freePort(), options });
  let standby: ReturnType<typeof createServer> | undefined;
  await server.start();
  await untilReady(server.url);
  const { stop } = server;
  const start = async () => {
    await server.start();
    await untilReady(server.url);
  };
  return {
    url: server.url,
    createDatabase: () => createDatabaseIn(server.url),
    control: {
      stop,
      start,
      async addStandby() {
        await stop("fast");
        const copy = join(folder, "standby");
        await run("cp", ["-a", data, copy], options);
        writeFileSync(join(copy, "standby.signal"), "");
        await start();
        const primary = `primary_conninfo=host=127.0.0.1 port=${server.port} user=postgres`;
        const second = createServer({
          binaries,
          data: copy,
          port: await freePort(),
          options,
          settings: [primary],
        });
        standby = second;
        await second.start();
        await untilReady(
          server.url,
          "SELECT 1 / count(*) FROM pg_stat_replication WHERE state = 'streaming'",
        );
        await ask(server.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
        await ask(server.url, "SELECT pg_reload_conf()");
        await untilReady(
          server.url,
          "SELECT 1 / count(*) FROM pg_stat_replication WHERE sync_state = 'sync'",
        );
        return {
          port: second.port,
          async promote() {
            await ask(second.url, "SELECT pg_promote()");
          },
        };
      },
    },
    async close() {
      await Promise.all([stop("immediate"), standby?.stop("immediate")]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ServerPlace {
  readonly binaries: string;
  readonly data: string;
  readonly port: number;
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  readonly settings?: readonly string[];
}

function createServer({ binaries, data, port, options, settings = [] }: ServerPlace) {
  let server: ChildProcess | undefined;
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async start() {
      const all = [
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=200",
        ...settings,
      ];
      const args = ["-D", data, "-p", String(port), ...all.flatMap((one) => ["-c", one])];
      server = spawn(join(binaries, "postgres"), args, { ...options, stdio: "ignore" });
    },
    async stop(how: "fast" | "immediate" = "fast") {
      if (server === undefined || server.exitCode !== null) return;
      const ended = new Promise((resolve) => server?.once("exit", resolve));
      server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
      await ended;
      server = undefined;
    },
  };
}

let last = 0;

async function createDatabaseIn(url: string): Promise<string> {
  const name = `toolgate_test_${process.pid}_${++last}_${Date.now().toString(36)}`;
  await ask(url, `CREATE DATABASE ${name}`);
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

/** One statement, on a connection of its own. */
export async function ask(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function untilReady(url: string, sql = "SELECT 1"): Promise<void> {
  for (const until = Date.now() + 30_000; ; ) {
    try {
      await ask(url, sql);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(50);
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
