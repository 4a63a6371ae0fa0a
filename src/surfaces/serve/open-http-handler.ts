/** Wires the routes of a gate for a server of somebody else: tokens, hosts, events, metrics, MCP. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname } from "node:path";
import type { Gate } from "../../gate/gate.ts";
import { packageVersion } from "../../gate/package-version.ts";
import { createSystemClock } from "../../gate/system.ts";
import { type Answering, type CloseReport, createAnswering } from "../http/answer-requests.ts";
import { type Names, namesOf } from "../http/check-origin.ts";
import { createFetchExchange } from "../http/fetch-exchange.ts";
import { defaultServerLimits } from "../http/server-limits.ts";
import { sharedCalls } from "../mcp/ask/shared-calls.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";
import { createMcpEndpoint } from "../mcp/http/mcp-endpoint.ts";
import { mcpRoutes } from "../mcp/http/mcp-routes.ts";
import { sessionKeyOf } from "../mcp/http/session-key.ts";
import { createEventFeed } from "../rest/events/event-feed.ts";
import { agentRoutes, gateRoutes, storeRoutes } from "../rest/routes/api-routes.ts";
import type { HttpHandler, HttpHandlerOptions } from "./create-http-handler.ts";
import { checkHandlerOptions } from "./handler-options.ts";
import { createHandlerTokens } from "./handler-tokens.ts";
import { createMetrics } from "./metrics/create-metrics.ts";

export function openHttpHandler(gate: Gate, options: HttpHandlerOptions): HttpHandler {
  checkHandlerOptions(gate, options);
  const { prefix = "" } = options;
  const { answering, closeParts } = wire(gate, options);
  let ended: Promise<CloseReport> | undefined;
  const close = ({ drainMs = 10_000 }: { readonly drainMs?: number } = {}) => {
    ended ??= (async () => {
      answering.stop();
      const report = await answering.end(drainMs);
      await closeParts();
      return report;
    })();
    return ended;
  };
  return {
    node(request, response, next) {
      if (next !== undefined && !isBelow(prefix, request.url ?? "")) return next();
      void answering.answer(request as IncomingMessage, response as ServerResponse);
    },
    fetch: (request) => {
      const { incoming, outgoing, response } = createFetchExchange(request);
      void answering.answer(incoming, outgoing);
      return response;
    },
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

interface Wired {
  readonly answering: Pick<Answering<unknown>, "answer" | "stop" | "end">;
  /** Everything but the gate, the store and the plugins, which were given. */
  readonly closeParts: () => Promise<void>;
}

function wire(gate: Gate, options: HttpHandlerOptions): Wired {
  const {
    prefix = "",
    store,
    plugins,
    sessions,
    rest = true,
    mcp: wantedMcp = true,
    onBroken = () => {},
  } = options;
  const clock = createSystemClock();
  const version = packageVersion();
  const limits = { ...defaultServerLimits, ...options.limits };
  const { mcp, closeMcp } = wantedMcp === false ? noMcp : createMcp(wantedMcp === true ? {} : wantedMcp);
  const parts = {
    gate,
    clock,
    version,
    tokens: createHandlerTokens(options),
    plugins,
    config: nothingLoaded(),
    mcp,
    sessions: sessions && { open: async () => sessions },
  };
  const around = {
    limits,
    prefix,
    names: createNames(options),
    isTls: (incoming: IncomingMessage) => isEncrypted(incoming),
    url: () => prefix,
    onBroken,
  };
  const mcpPaths = wantedMcp === false ? [] : mcpRoutes;
  const ofSessions = sessions === undefined ? [] : agentRoutes;
  if (store === undefined) {
    const routes = [...(rest ? [...gateRoutes, ...ofSessions] : []), ...mcpPaths];
    const metrics = { observeRequest: () => {} };
    const answering = createAnswering({ ...around, parts: { ...parts, metrics }, routes });
    return { answering, closeParts: closeMcp };
  }
  const feed = createEventFeed({ gate, store, clock });
  const metrics = createMetrics({ gate, store, feed, version });
  const routes = [...(rest ? [...gateRoutes, ...storeRoutes, ...ofSessions] : []), ...mcpPaths];
  const answering = createAnswering({ ...around, parts: { ...parts, store, feed, metrics }, routes });
  const closeParts = async () => {
    await closeMcp();
    metrics.close();
    feed.close();
  };
  return { answering, closeParts };

  function createMcp({ tools = "auto", approveByElicitation = false }) {
    const server = createMcpServer({
      gate,
      clock,
      version,
      tools: tools as "all" | "search" | "auto",
      approveByElicitation,
      attended: gate.attended,
      shared: store && sharedCalls(store),
      onProblem: onBroken,
    });
    const endpoint = createMcpEndpoint({
      server,
      gate,
      clock,
      // Without a folder to keep it in, clients begin new sessions after a restart.
      sessionKey: store === undefined ? randomBytes(32) : sessionKeyOf(store, dirname(store.file)),
      endedClients: store?.endedClients,
      limits: { maxPerCaller: limits.maxSessions },
    });
    const closeMcp = async () => {
      endpoint.close();
      await server.close();
    };
    return { mcp: endpoint, closeMcp };
  }
}

const noMcp = { mcp: undefined, closeMcp: async () => {} };

/** Which files rules come from is not known here: they came with the gate. */
function nothingLoaded() {
  const current = { sources: [], ignored: [], notes: [], steppedAside: [], projectDir: process.cwd() };
  return { current, broken: [] };
}

function isBelow(prefix: string, url: string): boolean {
  return url.startsWith(prefix) && (prefix === "" || /^(?:$|[/?])/.test(url.slice(prefix.length)));
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return "encrypted" in socket && socket.encrypted === true;
}

/** Who asks for no hosts is asked on this machine only, at the port that the request came to. */
function createNames({ hosts = [], origins = [] }: HttpHandlerOptions): (incoming: IncomingMessage) => Names {
  const known = new Map<string, Names>();
  return (incoming) => {
    const { localPort: port = 0 } = incoming.socket;
    const scheme = isEncrypted(incoming) ? "https" : "http";
    const key = `${scheme} ${port}`;
    const names = known.get(key) ?? {
      ...namesOf({ scheme, host: "127.0.0.1", port, hosts, origins }),
      isMounted: true,
    };
    // A server of `Request`s tells the port that its client wrote, which can be any.
    if (known.size >= mostPorts) known.clear();
    known.set(key, names);
    return names;
  };
}

const mostPorts = 64;
