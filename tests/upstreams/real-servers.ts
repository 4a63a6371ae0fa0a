/** Real MCP servers from npm, installed when they are first needed, each behind a connection of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  connectUpstream,
  type UpstreamConnection,
} from "../../src/sources/upstream/talk/connect-upstream.ts";
import type { UpstreamSettings } from "../../src/sources/upstream/talk/connection.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
/** Out of the reach of everything that looks through the sources. */
const installed = fileURLToPath(new URL("../../.cache/upstreams/", import.meta.url));

export function installServers(): void {
  mkdirSync(installed, { recursive: true });
  const lock = readFileSync(join(here, "package-lock.json"), "utf8");
  const stamp = join(installed, "installed-lock.json");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    for (const file of ["package.json", "package-lock.json"])
      copyFileSync(join(here, file), join(installed, file));
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: installed,
      stdio: "pipe",
    });
    writeFileSync(stamp, lock);
  }
  copyFileSync(join(here, "modern-server.mjs"), join(installed, "modern-server.mjs"));
}

const scripts = {
  everything: "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
  filesystem: "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
  memory: "node_modules/@modelcontextprotocol/server-memory/dist/index.js",
  thinking: "node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js",
  time: "node_modules/time-mcp/dist/index.js",
  modern: "modern-server.mjs",
} as const;

export type RealServer = keyof typeof scripts;

export interface RealWorld {
  readonly folder: string;
  readonly notes: string[];
  open(server: RealServer, settings?: Partial<UpstreamSettings>): UpstreamConnection;
  overHttp(
    server: "everything" | "modern",
    settings?: Partial<UpstreamSettings>,
  ): Promise<UpstreamConnection>;
  /** Ends every server over HTTP and starts it anew at the same address. */
  replaceHttpServers(): Promise<void>;
  close(): Promise<void>;
}

export function createRealWorld(): RealWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "real-upstreams-")));
  const notes: string[] = [];
  const opened: UpstreamConnection[] = [];
  const running: { readonly port: number; readonly argv: readonly string[]; child?: ChildProcess }[] = [];
  const connect = (settings: UpstreamSettings): UpstreamConnection => {
    const connection = connectUpstream(settings, {
      client: { name: "toolgate", version: "0.0.0" },
      note: (text) => notes.push(text),
    });
    opened.push(connection);
    return connection;
  };
  return {
    folder,
    notes,
    open: (server, settings = {}) =>
      connect({
        name: server,
        transport: {
          kind: "stdio",
          command: process.execPath,
          args: [join(installed, scripts[server]), ...(server === "filesystem" ? [folder] : [])],
          cwd: folder,
          ...(server === "memory" && { env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") } }),
        },
        ...settings,
      }),
    async overHttp(server, settings = {}) {
      const port = await freePort();
      const argument = server === "everything" ? "streamableHttp" : String(port);
      running.push({ port, argv: [join(installed, scripts[server]), argument] });
      await this.replaceHttpServers();
      return connect({
        name: `${server}-http`,
        transport: { kind: "http", url: `http://127.0.0.1:${port}/mcp` },
        ...settings,
      });
    },
    async replaceHttpServers() {
      for (const server of running) {
        await ended(server.child);
        server.child = spawn(process.execPath, server.argv, {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: folder, PORT: String(server.port) },
          stdio: "ignore",
        });
        await untilListening(server.port);
      }
    },
    async close() {
      await Promise.all(opened.map((connection) => connection.close()));
      for (const { child } of running) await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answered !== undefined) return;
    await sleep(50);
  }
  throw new Error(`Nobody listens on ${port}.`);
}
