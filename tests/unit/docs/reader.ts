/** A reader of a page: a home of their own with toolgate installed in it, a shell, and terminals in which servers run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Reader {
  readonly home: string;
  /** Where the shell stands. */
  readonly folder: () => string;
  /** Runs lines in the shell; it stays in the folder to which they lead. */
  readonly run: (lines: string, signal?: AbortSignal) => Promise<{ code: number | null; said: string }>;
  /** Starts a server in a terminal of its own, and waits until it says that it is there. */
  readonly serve: (line: string) => Promise<string>;
  readonly save: (name: string, text: string) => void;
  /** The port that the pages name is the reader's own one: others run on this machine. */
  readonly local: (text: string) => string;
  readonly close: () => Promise<void>;
}

const portOfPages = "4655";

export async function createReader(project: string): Promise<Reader> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-reader-")));
  mkdirSync(join(home, "my-project"));
  const port = String(await freePort());
  const env = {
    // The Node that development uses comes first: the system's own may be older than what a reader needs.
    PATH: [join(home, "npm/bin"), join(project, "node_modules/.bin"), process.env.PATH].join(":"),
    HOME: home,
    TMPDIR: home,
    npm_config_prefix: join(home, "npm"),
    npm_config_cache: join(home, "npm-cache"),
    npm_config_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
  const servers: ChildProcess[] = [];
  let folder = project;

  return {
    home,
    folder: () => folder,
    local: (text) => text.replaceAll(portOfPages, port),
    save: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },

    run: async (lines, signal) => {
      const stays = join(home, ".folder");
      const script = `trap 'pwd > "${stays}"' EXIT\nset -euo pipefail\n${lines}`;
      const shell = spawn("bash", ["-c", script], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        signal,
      });
      const said = listen(shell);
      const [code] = (await once(shell, "close")) as [number | null];
      folder = readFileSync(stays, "utf8").trimEnd();
      return { code, said: said() };
    },

    serve: async (line) => {
      const command = line.includes("--port")
        ? line
        : line.replace("toolgate serve", `toolgate serve --port ${port}`);
      const server = spawn("bash", ["-c", `exec ${command}`], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      servers.push(server);
      const said = listen(server);
      await new Promise<void>((resolve, reject) => {
        const look = () => said().includes("Ctrl-C ends it.") && resolve();
        server.stdout?.on("data", look);
        server.stderr?.on("data", look);
        server.once("close", () => reject(new Error(`${command} ended:\n${said()}`)));
      });
      return said();
    },

    close: async () => {
      for (const server of servers) {
        if (server.exitCode !== null || server.signalCode !== null) continue;
        const gone = once(server, "close");
        server.kill("SIGTERM");
        await gone;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function listen(child: ChildProcess): () => string {
  let said = "";
  const hear = (chunk: Buffer) => {
    said += chunk;
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  return () => said;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
