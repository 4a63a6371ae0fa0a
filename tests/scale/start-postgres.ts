/**
 * A real PostgreSQL for tests: the one that TOOLGATE_TEST_POSTGRES names (a URL of a server where databases may be
 * created), or one that is started here from installed binaries. It refuses to run as root, so root starts it as nobody.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

export interface TestPostgres {
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Undefined: it is not ours to stop. */
  readonly control: { stop(how?: "fast" | "immediate"): Promise<void>; start(): Promise<void> } | undefined;
  close(): Promise<void>;
}

const run = promisify(execFile);
const nobody = 65_534;

/** Undefined: there is none on this machine; why is said in `whyNoPostgres`. */
export function findPostgres(): string | undefined {
  if (process.env.TOOLGATE_TEST_POSTGRES !== undefined) return process.env.TOOLGATE_TEST_POSTGRES;
  return folders().find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

export const whyNoPostgres =
  "no PostgreSQL is installed (initdb and postgres); install one, or name one by TOOLGATE_TEST_POSTGRES";

function folders(): string[] {
  const ofDebian = "/usr/lib/postgresql";
  const versions = existsSync(ofDebian)
    ? readdirSync(ofDebian).sort((one, two) => Number(two) - Number(one))
    : [];
  return [
    ...versions.map((version) => join(ofDebian, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
}

export async function startPostgres(): Promise<TestPostgres> {
  const found = findPostgres();
  if (found === undefined) throw new Error(whyNoPostgres);
  return found.startsWith("postgres") ? useServer(found) : startOwn(found);
}

async function useServer(url: string): Promise<TestPostgres> {
  return { createDatabase: () => createDatabase(url), control: undefined, close: async () => {} };
}

async function startOwn(binaries: string): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(folder, nobody, nobody);
    chmodSync(folder, 0o700);
  }
  const data = join(folder, "data");
  const options = {
    cwd: folder,
    ...(isRoot && { uid: nobody, gid: nobody }),
    env: { HOME: folder, LC_ALL: "C" },
  };
  await run(
    join(binaries, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"];
    const args = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
    server = spawn(join(binaries, "postgres"), args, { ...options, stdio: "ignore" });
    await untilReady(url);
  };
  /** `fast` ends connections in order; `immediate` as a crash does. */
  const stop = async (how: "fast" | "immediate" = "fast") => {
    if (server === undefined || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server?.once("exit", resolve));
    server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
    server = undefined;
  };
  await start();
  return {
    createDatabase: () => createDatabase(url),
    control: { stop, start },
    async close() {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let last = 0;

async function createDatabase(url: string): Promise<string> {
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

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + 30_000; ; ) {
    try {
      await ask(url, "SELECT 1");
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(50);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
