/** A real server on a real socket with a real store in a folder of its own, for the tests of the HTTP surface. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate } from "../src/gate/create-gate.ts";
import type { Gate } from "../src/gate/gate.ts";
import type { GateOptions } from "../src/gate/gate-options.ts";
import { createSystemClock } from "../src/gate/system.ts";
import { openConfig } from "../src/open/open-config.ts";
import { openStore, type Store } from "../src/open/open-store.ts";
import type { OpenUpstreams } from "../src/open/open-upstreams.ts";
import { type Right, rights, type TokenHolder } from "../src/surfaces/http/rights.ts";
import type { AnyRoute } from "../src/surfaces/http/route.ts";
import { type HttpServer, type ServeOptions, serveHttp } from "../src/surfaces/http/serve-http.ts";
import type { Served, TokenCheck } from "../src/surfaces/http/server-parts.ts";
import type { SignIn } from "../src/surfaces/http/sign-in/create-sign-in.ts";
import { createConsoleLogin } from "../src/surfaces/http/tokens/console-login.ts";
import { createTokenCheck } from "../src/surfaces/http/tokens/token-check.ts";
import { createMcpServer } from "../src/surfaces/mcp/create-mcp-server.ts";
import { createMcpEndpoint, type McpEndpointOptions } from "../src/surfaces/mcp/http/mcp-endpoint.ts";
import type { McpServerParts } from "../src/surfaces/mcp/server-parts.ts";
import { createEventFeed, type EventFeedOptions } from "../src/surfaces/rest/events/event-feed.ts";
import type { PluginReload, ServedSessions, ServerMetrics } from "../src/surfaces/rest/rest-route.ts";
import type { ServerParts } from "../src/surfaces/serve/all-routes.ts";
import { createMetrics } from "../src/surfaces/serve/metrics/create-metrics.ts";

type SystemClock = ReturnType<typeof createSystemClock>;

export interface TestServer extends HttpServer<ServerParts> {
  /** The folder that holds its state, its home and its project. */
  readonly folder: string;
  readonly stateFolder: string;
  /** What broke inside. */
  readonly broken: readonly string[];
  /** `fetch` with a token that has all rights, unless a header says otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

export interface TestServerOptions extends Partial<Omit<ServeOptions, "parts" | "routes">> {
  readonly routes: readonly AnyRoute<ServerParts & Served>[];
  readonly gate?: GateOptions;
  readonly tokens?: TokenCheck;
  readonly plugins?: PluginReload;
  readonly upstreams?: OpenUpstreams;
  /** Closed by whoever makes them. */
  readonly sessions?: (gate: Gate, store: Store, folder: string) => ServedSessions;
  /** What the store takes out wherever it stands. */
  readonly secrets?: readonly string[];
  /** Lets people sign in with an identity provider. */
  readonly signIn?: (tokens: Store["tokens"]) => SignIn;
  readonly metrics?: ServerMetrics;
  readonly clock?: SystemClock;
  readonly feed?: Partial<Omit<EventFeedOptions, "gate" | "store" | "clock">>;
  /** Serves MCP clients, too. */
  readonly mcp?: Partial<McpServerParts> & {
    readonly legLimits?: McpEndpointOptions["limits"];
    readonly sessionKey?: Buffer;
  };
}

/** `token-all` has every right, `token-call` only this one, and so on. The caller is called like the token. */
export const testTokens: TokenCheck = {
  find: (token) => {
    const name = token.replace(/^token-/, "");
    if (name === token) return undefined;
    const held = name === "all" ? rights : rights.filter((one) => name.split("-").includes(one));
    return held.length === 0 ? undefined : principal(token, held);
  },
};

export function principal(
  id: string,
  held: readonly Right[],
  capabilities: readonly string[] = ["*"],
): TokenHolder {
  return { caller: { id, capabilities }, rights: new Set(held) };
}

export async function startTestServer(options: TestServerOptions): Promise<TestServer> {
  const {
    routes,
    gate: gateOptions,
    tokens: givenTokens,
    plugins,
    upstreams,
    sessions,
    secrets = [],
    signIn,
    metrics: givenMetrics,
    clock = createSystemClock(),
    feed: feedOptions,
    mcp: mcpOptions,
    ...serveOptions
  } = options;
  const folder = mkdtempSync(join(tmpdir(), "toolgate-http-"));
  const stateFolder = join(folder, "state", "toolgate");
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const store = await openStore({ stateFolder, secrets });
  const gate = await createGate({ store, approver: "desk", roots: [folder], ...gateOptions });
  const current = await openConfig({ cwd: folder, env });
  const feed = createEventFeed({ gate, store, clock, ...feedOptions });
  const version = "0.0.0-test";
  const metrics = givenMetrics ?? createMetrics({ gate, store, feed, version });
  const broken: string[] = [];
  const listed = createTokenCheck({ tokens: store.tokens });
  const tokens = givenTokens ?? { find: (token) => testTokens.find(token) ?? listed.find(token) };
  const mcpServer = createMcpServer({ gate, clock, version, attended: true, ...mcpOptions });
  const mcp =
    mcpOptions &&
    createMcpEndpoint({
      server: mcpServer,
      gate,
      clock,
      sessionKey: mcpOptions.sessionKey ?? randomBytes(32),
      limits: mcpOptions.legLimits ?? {},
    });
  const server = await serveHttp({
    port: 0,
    onBroken: (message) => broken.push(message),
    ...serveOptions,
    routes,
    parts: {
      gate,
      store,
      plugins,
      upstreams,
      sessions: sessions?.(gate, store, folder),
      config: { current, broken: [] },
      tokens,
      metrics,
      feed,
      mcp,
      version,
      clock,
      console: createConsoleLogin({ stateFolder, tokens: store.tokens, clock }),
      signIn: signIn?.(store.tokens),
    },
  });
  const close: TestServer["close"] = async (closeOptions) => {
    const report = await server.close(closeOptions);
    mcp?.close();
    await mcpServer.close();
    feed.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
    return report;
  };
  return {
    ...server,
    folder,
    stateFolder,
    broken,
    ask: (path, init = {}) =>
      fetch(`${server.url}${path}`, {
        ...init,
        headers: { authorization: "Bearer token-all", ...(init.headers as Record<string, string>) },
      }),
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}
