/** Wires a server of an open gate: tokens, events, metrics, routes; and closes all of it in the right order. */
import type { OpenConfig } from "../../open-config.ts";
import type { Store } from "../../open-store.ts";
import type { OpenTools } from "../../open-tools.ts";
import { createSystemClock } from "../../system.ts";
import { allRoutes } from "./all-routes.ts";
import { createEventFeed } from "./events/event-feed.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import type { ServedConfig, TokenCheck } from "./parts.ts";
import { resourceMetadataPath, resourceMetadataRoute } from "./routes/resource-metadata.ts";
import { type CloseReport, type HttpServer, serveHttp } from "./serve-http.ts";
import type { ChosenServer } from "./server-settings.ts";
import { createJwtCheck, looksLikeJwt } from "./tokens/jwt-check.ts";
import { createKeySource } from "./tokens/key-source.ts";
import { createTokenCheck } from "./tokens/token-check.ts";
import type { TokenRecord } from "./tokens/token-list.ts";

export interface OpenServerRequest {
  readonly open: OpenTools & { readonly store: Store };
  readonly config: ServedConfig;
  readonly chosen: ChosenServer;
  readonly owner: TokenRecord;
  readonly version: string;
  /** For the log. */
  readonly tell: (message: string) => void;
}

export interface OpenServer {
  readonly http: HttpServer;
  /** Everything but the tools and their store, which were given. */
  close(): Promise<CloseReport>;
}

/** Rejects with the system's error if it cannot listen. */
export async function openServer(request: OpenServerRequest): Promise<OpenServer> {
  const { open, config, chosen, owner, version, tell } = request;
  const { gate, store } = open;
  const { oauth } = chosen;
  const clock = createSystemClock();
  const tokens = createTokens(config.current, owner, oauth, tell);
  const feed = createEventFeed({ gate, store, clock });
  const metrics = createMetrics({ gate, store, feed, version });
  const closeParts = async () => {
    metrics.close();
    await feed.close();
  };
  try {
    const http = await serveHttp({
      ...chosen,
      parts: { gate, store, config, tokens, metrics, feed, version, clock },
      routes: oauth === undefined ? allRoutes : [...allRoutes, resourceMetadataRoute(oauth)],
      resourceMetadata: oauth && new URL(resourceMetadataPath, oauth.audience).href,
      onBroken: tell,
    });
    return {
      http,
      close: async () => {
        const report = await http.close({ drainMs: chosen.drainMs });
        await closeParts();
        return report;
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function createTokens(
  { folders }: OpenConfig,
  owner: TokenRecord,
  oauth: ChosenServer["oauth"],
  tell: (message: string) => void,
): TokenCheck {
  const own = createTokenCheck({ stateFolder: folders.state, besides: [owner], onUnreadable: tell });
  if (oauth === undefined) return own;
  const jwt = createJwtCheck(oauth, createKeySource(oauth));
  return { find: (token) => (looksLikeJwt(token) ? jwt.find(token) : own.find(token)) };
}
