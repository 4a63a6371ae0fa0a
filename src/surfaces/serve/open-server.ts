/** Wires the server of an open gate (tokens, events, metrics, routes) and closes all in order. */
import { createHmac, randomBytes } from "node:crypto";
import type { Environment } from "../../config/folders.ts";
import { messageOf } from "../../core/call/errors.ts";
import type { TokenRecord } from "../../core/ports/tokens.ts";
import { createSystemClock } from "../../gate/system.ts";
import type { Store } from "../../open/open-store.ts";
import type { OpenTools } from "../../open/open-tools.ts";
import { createHookCredentials } from "../hook/served/hook-credentials.ts";
import { createHookService } from "../hook/served/hook-service.ts";
import { type CloseReport, type HttpServer, serveHttp } from "../http/serve-http.ts";
import { defaultServerLimits } from "../http/server-limits.ts";
import type { TokenCheck } from "../http/server-parts.ts";
import { createSignIn } from "../http/sign-in/create-sign-in.ts";
import { loadSite } from "../http/site/load-site.ts";
import { createSite } from "../http/site/site.ts";
import { createConsoleLogin } from "../http/tokens/console-login.ts";
import { createJwtCheck, type JwtCheck, looksLikeJwt } from "../http/tokens/jwt-check.ts";
import { createKeySource } from "../http/tokens/key-source.ts";
import { createTokenCheck } from "../http/tokens/token-check.ts";
import { sharedCalls } from "../mcp/ask/shared-calls.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";
import { createPermissionCheck } from "../mcp/handlers/permission-check.ts";
import { createMcpEndpoint } from "../mcp/http/mcp-endpoint.ts";
import { sessionKeyOf } from "../mcp/http/session-key.ts";
import { mcpSettings } from "../mcp/mcp-settings.ts";
import { createEventFeed } from "../rest/events/event-feed.ts";
import type { RestParts, ServedConfig } from "../rest/rest-route.ts";
import { resourceMetadataPath, resourceMetadataRoute } from "../rest/routes/resource-metadata.ts";
import { allRoutes } from "./all-routes.ts";
import { consoleFolder } from "./console-folder.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import { createNotifier } from "./notify/create-notifier.ts";
import { createServedSessions } from "./served-sessions.ts";
import type { ChosenServer } from "./server-settings.ts";
import type { GateWatch } from "./telemetry/open-telemetry.ts";
import { tellRules } from "./tell-rules.ts";
import { isWatchedElsewhere, sweepWatchers } from "./watchers.ts";

export interface OpenServerRequest {
  readonly open: OpenTools & { readonly store: Store };
  readonly config: ServedConfig;
  readonly chosen: ChosenServer;
  readonly owner: TokenRecord;
  readonly version: string;
  /** For the rules of agents that ask without saying their own. */
  readonly env: Environment;
  /** The coding agents of this machine, for whoever asks. */
  readonly agents?: RestParts["agents"];
  /** The server's own terminal shows what waits. */
  readonly isOnTerminal?: boolean;
  /** Undefined: nobody wants traces. */
  readonly traceCalls?: GateWatch | undefined;
  /** For the log. */
  readonly tell: (message: string) => void;
}

export interface OpenServer {
  readonly http: HttpServer;
  /** To be called when the current configuration is another one. */
  rulesChanged(): void;
  /** The hooks of agents on this machine ask here from now on. False: they cannot reach the server. */
  openDoor(): boolean;
  /** Everything but the tools and their store, which were given. */
  close(): Promise<CloseReport>;
}

/** Rejects with the system's error if it cannot listen. */
export async function openServer(request: OpenServerRequest): Promise<OpenServer> {
  const { open, config, chosen, owner, version, env, tell } = request;
  const { gate, store, plugins, upstreams } = open;
  const { oauth, signIn } = chosen;
  const clock = createSystemClock();
  const issuerKeys = oauth && createKeySource(oauth);
  const door = createHookCredentials(config.current.folders.state);
  const ownTokens = createTokenCheck({
    tokens: store.tokens,
    besides: [owner, door.record],
    onUnreadable: tell,
  });
  const tokens = oauth && issuerKeys ? withJwts(ownTokens, createJwtCheck(oauth, issuerKeys)) : ownTokens;
  const feed = createEventFeed({ gate, store, clock });
  sweepWatchers(config.current.folders.state);
  const isWatched = () =>
    request.isOnTerminal === true || feed.answerers > 0 || isWatchedElsewhere(config.current.folders.state);
  const hooks = createHookService({ store, env, door, tell, isWatched });
  const metrics = createMetrics({ gate, store, feed, version });
  const permissions =
    config.current.settings.mcp?.permissionPrompt === true
      ? createPermissionCheck({ config: config.current, store, attended: true })
      : undefined;
  const mcpServer = createMcpServer({
    gate,
    clock,
    version,
    upstreams: open.upstreams.upstreams,
    ready: open.upstreams.firstLook,
    skills: open.skills,
    ...mcpSettings(() => config.current.settings.mcp),
    permissionPrompt: permissions?.check,
    attended: true,
    shared: sharedCalls(store),
    onSearchMode: tell,
    onProblem: tell,
  });
  const { maxSessions = defaultServerLimits.maxSessions } = chosen.limits;
  const mcp = createMcpEndpoint({
    server: mcpServer,
    gate,
    clock,
    sessionKey: sessionKeyOf(store, config.current.folders.state),
    endedClients: store.endedClients,
    limits: { maxPerCaller: maxSessions },
  });
  const rulesChanged = tellRules({ store, config, tell });
  const watch: GateWatch = (other) => {
    const stops = [feed.watch(other), metrics.watch(other), request.traceCalls?.(other)];
    return () => {
      for (const stop of stops) stop?.();
    };
  };
  const sessions = createServedSessions({ open, config, env, tell, watch });
  const closeParts = async () => {
    mcp.close();
    await mcpServer.close();
    await sessions.close();
    await permissions?.[Symbol.asyncDispose]();
    await hooks.close();
    metrics.close();
    await feed.close();
  };
  try {
    const http = await serveHttp({
      ...chosen,
      parts: {
        ...{ gate, store, plugins, upstreams, config, tokens, metrics, feed, hooks, mcp, version },
        ...{ clock, sessions, agents: request.agents },
        console: chosen.hasConsole
          ? createConsoleLogin({ stateFolder: config.current.folders.state, tokens: store.tokens, clock })
          : undefined,
        signIn:
          signIn && issuerKeys
            ? createSignIn({
                ...{ settings: signIn, keys: issuerKeys, tokens: store.tokens, clock },
                key: signInKey(store),
              })
            : undefined,
      },
      routes: oauth === undefined ? allRoutes : [...allRoutes, resourceMetadataRoute(oauth)],
      site: chosen.hasConsole ? createSite(loadSite(consoleFolder())) : undefined,
      resourceMetadata: oauth && new URL(resourceMetadataPath, oauth.audience).href,
      onBroken: tell,
    });
    const stopNotifying = createNotifier({
      approvals: store.approvals,
      settings: () => config.current.settings.notify,
      url: () => http.url,
      clock,
      tell,
    });
    return {
      http,
      rulesChanged,
      openDoor: () => {
        sessions.endLeft().catch((error: unknown) => tell(messageOf(error)));
        return door.announce(http.url);
      },
      close: async () => {
        stopNotifying();
        // Together: what waits for a person in a hook would otherwise be waited for.
        const ended = [sessions.close(), hooks.close()];
        const report = await http.close({ drainMs: chosen.drainMs });
        await Promise.all(ended);
        await closeParts();
        return report;
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function withJwts(own: TokenCheck, jwt: JwtCheck): TokenCheck {
  return { find: (token) => (looksLikeJwt(token) ? jwt.find(token) : own.find(token)) };
}

/** One of all replicas. Without any, of this process: who signs in while it restarts begins again. */
function signInKey({ sharedSecret }: Pick<Store, "sharedSecret">): Uint8Array {
  return sharedSecret === undefined
    ? randomBytes(32)
    : createHmac("sha256", sharedSecret).update("console sign-in").digest();
}
