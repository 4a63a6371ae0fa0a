/** The hook's script in a home of its own, with a real server or a false one, and a stand-in for the process that tells whether it was started. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createGate } from "../src/gate/create-gate.ts";
import { createSystemClock } from "../src/gate/system.ts";
import { openConfig } from "../src/open/open-config.ts";
import { openStore, type Store } from "../src/open/open-store.ts";
import { createFileTokens } from "../src/stores/files/file-tokens.ts";
import { hookAddressFile } from "../src/surfaces/hook/process/find-place.ts";
import { createHookCredentials, type HookCredentials } from "../src/surfaces/hook/served/hook-credentials.ts";
import { createHookService, type HookService } from "../src/surfaces/hook/served/hook-service.ts";
import { type HttpServer, serveHttp } from "../src/surfaces/http/serve-http.ts";
import { giveToken } from "../src/surfaces/http/tokens/give-token.ts";
import { createTokenCheck } from "../src/surfaces/http/tokens/token-check.ts";
import { createEventFeed } from "../src/surfaces/rest/events/event-feed.ts";
import { hookRoutes } from "../src/surfaces/rest/routes/hook.ts";
import { createMetrics } from "../src/surfaces/serve/metrics/create-metrics.ts";

const script = fileURLToPath(new URL("../src/surfaces/hook/process/hook.sh", import.meta.url));

export interface ScriptEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ScriptOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly seconds?: number;
  readonly node?: string;
  /** Instead of the agent, the node and the seconds. */
  readonly args?: readonly string[];
  /** Left open: whoever reads it waits. */
  readonly keepOpen?: boolean;
  /** How long standard input stays open. */
  readonly endAfterMs?: number;
}

export interface RunningServer {
  readonly http: HttpServer;
  readonly store: Store;
  readonly door: HookCredentials;
  readonly hooks: HookService;
  /** A token of another caller, with the right to call. */
  readonly token: string;
  readonly told: readonly string[];
  close(): Promise<void>;
}

export type OnRequest = (socket: Socket, request: string, door: HookCredentials) => void;

export interface FastHookWorld {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly state: string;
  readonly addressFile: string;
  write(file: string, text: string): string;
  user(text: string): string;
  /** Runs the script as Claude Code would. */
  ask(stdin: unknown, options?: ScriptOptions): Promise<ScriptEnd>;
  /** What the stand-in for the process got; undefined: it was not started. */
  fallback(): Buffer | undefined;
  serve(options?: { readonly maxWaitMs?: number }): Promise<RunningServer>;
  /**
   * Something else listens where the address file says. It proves that it is the server, unless `onHead` does something else; its answer
   * may depend on the request.
   */
  falseServer(onRequest: OnRequest, onHead?: OnRequest): Promise<string>;
}

export function createFastHookWorld(): FastHookWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-fast-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(base, "home");
  const project = join(base, "project");
  const state = join(home, ".local/state/toolgate");
  for (const folder of [join(project, ".git"), state, join(base, "hook")])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(script, join(base, "hook", "hook.sh"));
  chmodSync(join(base, "hook", "hook.sh"), 0o755);
  writeFileSync(join(base, "hook", "hook.cjs"), "");
  const standIn = join(base, "process");
  writeFileSync(
    standIn,
    `#!/bin/sh\ncat > "${base}/fallback"\nenv > "${base}/fallback-env"\necho "by a process" >&2\nexit 2\n`,
  );
  chmodSync(standIn, 0o755);
  const world: FastHookWorld = {
    base,
    home,
    project,
    state,
    addressFile: hookAddressFile(state),
    write(file, text) {
      const path = file.startsWith("/") ? file : join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    user: (text) => world.write(join(home, ".config/toolgate/config.yaml"), text),
    ask(stdin, options = {}) {
      const { env = {}, cwd = project, seconds = 30, node = standIn, keepOpen = false, args } = options;
      rmSync(join(base, "fallback"), { force: true });
      const given = args ?? ["claude-code", node, String(seconds)];
      const child = spawn(join(base, "hook", "hook.sh"), given, {
        cwd,
        env: defined({ PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: project, ...env }),
      });
      child.stdin.on("error", () => {});
      const bytes = typeof stdin === "string" || Buffer.isBuffer(stdin) ? stdin : JSON.stringify(stdin);
      if (options.endAfterMs !== undefined) {
        child.stdin.write(bytes);
        setTimeout(() => child.stdin.end(), options.endAfterMs);
      } else if (keepOpen) child.stdin.write(bytes);
      else child.stdin.end(bytes);
      let out = "";
      let err = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        out += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        err += text;
      });
      return new Promise((resolve, reject) => {
        child.on("error", reject);
        child.on("close", (code) => resolve({ code, out, err }));
      });
    },
    fallback() {
      try {
        return readFileSync(join(base, "fallback"));
      } catch {
        return undefined;
      }
    },
    serve: ({ maxWaitMs } = {}) => startServer(world, maxWaitMs),
    async falseServer(onRequest, onHead = prove) {
      const door = createHookCredentials(state);
      const server = createServer((socket) => {
        let sent = "";
        let isGreeted = false;
        let isAsked = false;
        socket.on("error", () => {});
        socket.setEncoding("latin1").on("data", (text: string) => {
          sent += text;
          const end = sent.indexOf("\r\n\r\n");
          if (end === -1) return;
          const head = sent.slice(0, end);
          if (!isGreeted) {
            isGreeted = true;
            onHead(socket, head, door);
          }
          const body = isAsked ? undefined : bodyIn(sent.slice(end + 4));
          if (body === undefined) return;
          isAsked = true;
          onRequest(socket, `${head}\r\n\r\n${body}`, door);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const { port } = server.address() as { readonly port: number };
      door.announce(`http://127.0.0.1:${port}`);
      return readFileSync(world.addressFile, "utf8");
    },
  };
  return world;
}

export function nonceOf(request: string): string {
  return /Toolgate-Call: ([\d.]+)/.exec(request)?.[1] ?? "";
}

const prove: OnRequest = (socket, head, door) => {
  socket.write(`HTTP/1.1 100 Continue\r\n${door.proofFor(nonceOf(head))}\r\n\r\n`);
};

/** The one chunk of the body; undefined while it, or the trailer behind it, is not whole. */
function bodyIn(chunks: string): string | undefined {
  const size = /^[\da-f]+/.exec(chunks)?.[0] ?? "";
  const from = size.length + 2;
  const end = from + Number.parseInt(size, 16);
  return /^\r\n0\r\nToolgate-Place: [^\r\n]*\r\n\r\n$/.test(chunks.slice(end))
    ? chunks.slice(from, end)
    : undefined;
}

async function startServer(world: FastHookWorld, maxWaitMs: number | undefined): Promise<RunningServer> {
  const { home, state, base } = world;
  const env = { HOME: home };
  const store = await openStore({ stateFolder: state });
  const gate = await createGate({ store, roots: [base] });
  const clock = createSystemClock();
  const door = createHookCredentials(state);
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const hooks = createHookService({ store, env, door, tell, ...(maxWaitMs !== undefined && { maxWaitMs }) });
  const feed = createEventFeed({ gate, store, clock });
  const metrics = createMetrics({ gate, store, feed, version: "0" });
  const { token } = await giveToken(createFileTokens(state), { name: "agent", rights: ["call"] });
  const http = await serveHttp({
    port: 0,
    routes: hookRoutes,
    onBroken: tell,
    parts: {
      gate,
      store,
      config: { current: await openConfig({ cwd: world.project, env }), broken: [] },
      tokens: createTokenCheck({ tokens: createFileTokens(state), besides: [door.record] }),
      metrics,
      feed,
      hooks,
      version: "0",
      clock,
    },
  });
  door.announce(http.url);
  let ended: Promise<void> | undefined;
  const end = async () => {
    await Promise.all([http.close({ drainMs: 200 }), hooks.close()]);
    metrics.close();
    await feed.close();
    await store.close();
  };
  const close = () => {
    ended ??= end();
    return ended;
  };
  onTestFinished(close);
  return { http, store, door, hooks, token, told, close };
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function bash(command: string, more: object = {}): object {
  return { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, ...more };
}

export const rules = `routes:
  no-force:
    tool: Bash
    pattern: 'git push.*--(force)'
    message: Do not use --$1; open a pull request.
  log:
    tool: Bash
    pattern: '^git (log|show)$'
    action: rewrite
    rewrite: {command: 'git --no-pager $1 -n 20'}
policies:
  fine:
    tools: Bash
    action: approve
    conditions: [{type: command, operator: equals, value: ls}]
  ask-first:
    tools: Bash
    action: ask
    reason: Deploying needs Ann.
    conditions: [{type: command, operator: startsWith, value: deploy}]
`;
