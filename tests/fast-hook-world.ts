/** The hook's script in a home of its own, with a real server or a false one, and a stand-in for the process that tells whether it was started. */
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
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
import { createHookHome, defined, ended, type HookHome, toBytes, type Variables } from "./hook-home.ts";

export { bash, rules } from "./hook-home.ts";

const script = fileURLToPath(new URL("../src/surfaces/hook/process/hook.sh", import.meta.url));

export interface ScriptEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ScriptOptions {
  readonly env?: Variables;
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

export interface FastHookWorld extends HookHome {
  readonly addressFile: string;
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

/** Tests that run side by side say themselves what to do at their end. */
export function createFastHookWorld(onFinished: typeof onTestFinished = onTestFinished): FastHookWorld {
  const place = createHookHome();
  onFinished(place.remove);
  const { base, home, project, state } = place;
  for (const folder of [state, join(base, "hook")]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(script, join(base, "hook", "hook.sh"));
  chmodSync(join(base, "hook", "hook.sh"), 0o755);
  writeFileSync(join(base, "hook", "hook.cjs"), "");
  const standIn = join(base, "process");
  const notes = `cat > "${base}/fallback"\nenv > "${base}/fallback-env"\necho "by a process" >&2`;
  writeFileSync(standIn, `#!/bin/sh\n${notes}\nexit 2\n`, { mode: 0o755 });
  const world: FastHookWorld = {
    ...place,
    addressFile: hookAddressFile(state),
    async ask(stdin, options = {}) {
      const { env = {}, cwd = project, seconds = 30, node = standIn, keepOpen = false, args } = options;
      rmSync(join(base, "fallback"), { force: true });
      const given = args ?? ["claude-code", node, String(seconds)];
      const child = spawn(join(base, "hook", "hook.sh"), given, {
        cwd,
        env: defined({ PATH: process.env.PATH, HOME: home, CLAUDE_PROJECT_DIR: project, ...env }),
      });
      child.stdin.on("error", () => {});
      child.stdin.write(toBytes(stdin));
      if (options.endAfterMs !== undefined) setTimeout(() => child.stdin.end(), options.endAfterMs);
      else if (!keepOpen) child.stdin.end();
      const { code, out, err } = await ended(child);
      return { code, out, err };
    },
    fallback() {
      try {
        return readFileSync(join(base, "fallback"));
      } catch {
        return undefined;
      }
    },
    serve: ({ maxWaitMs } = {}) => startServer(world, maxWaitMs, onFinished),
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
      onFinished(() => void server.close());
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

async function startServer(
  world: FastHookWorld,
  maxWaitMs: number | undefined,
  onFinished: typeof onTestFinished,
): Promise<RunningServer> {
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
  onFinished(close);
  return { http, store, door, hooks, token, told, close };
}
