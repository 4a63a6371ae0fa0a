/** What routes work with: the gate, its store, and what the server knows about itself. */
import type { Clock } from "../../core/ports/ports.ts";
import type { Gate } from "../../gate/gate.ts";
import type { OpenConfig } from "../../open/open-config.ts";
import type { Store } from "../../open/open-store.ts";
import type { OpenUpstreams } from "../../open/open-upstreams.ts";
import type { PluginReport } from "../../sources/plugins/plugin-set.ts";
import type { HookService } from "../hook/served/hook-service.ts";
import type { Principal } from "../http/rights.ts";
import type { AnyRoute } from "../http/route.ts";
import type { McpEndpoint } from "../mcp/http/mcp-endpoint.ts";
import type { EventFeed } from "../rest/events/event-feed.ts";

export interface ServerParts {
  readonly gate: Gate;
  readonly store: Store;
  readonly plugins?: PluginReload | undefined;
  readonly upstreams?: OpenUpstreams | undefined;
  readonly config: ServedConfig;
  readonly tokens: TokenCheck;
  /** `createMetrics({ gate, store, feed, version })` of metrics/create-metrics.ts. */
  readonly metrics: ServerMetrics;
  /** `createEventFeed({ gate, store, clock })` of ../rest/events/event-feed.ts; whoever makes it closes it before the store. */
  readonly feed: EventFeed;
  /** `createHookService(...)` of ../hook/served/hook-service.ts; whoever makes it closes it before the store. Undefined: agents cannot ask. */
  readonly hooks?: HookService | undefined;
  /** `createMcpEndpoint(...)` of ../mcp/http/mcp-endpoint.ts; whoever makes it closes it. Undefined: MCP clients are not served. */
  readonly mcp?: McpEndpoint | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly server: ServerState;
  /** Every route of this server. */
  readonly routes: readonly AnyRoute[];
}

export interface PluginReload {
  reload(): Promise<Pick<PluginReport, "success" | "errors" | "warnings">>;
}

export interface ServedConfig {
  /** As it was loaded last; a broken change leaves the last good one. */
  readonly current: OpenConfig;
  /** Why the files as they are now are not used; empty when they are. */
  readonly broken: OpenConfig["problems"];
}

export interface TokenCheck {
  /** Who holds this token? Undefined: unknown, expired or revoked. */
  find(token: string): Principal | undefined | Promise<Principal | undefined>;
}

/** What the server tells about every request it answered; routes may add their own. */
export interface ServerMetrics {
  observeRequest(request: RequestObservation): void;
  /** In Prometheus' text format. */
  render(): Promise<string>;
}

export interface RequestObservation {
  readonly method: string;
  /** The route's path as it was defined; undefined when there was none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
}

export interface ServerState {
  readonly startedAt: number;
  /** Where it listens, as a client would write it; empty before. */
  readonly url: string;
  /** Takes requests. False as soon as it begins to end. */
  readonly isReady: boolean;
  /** Aborted when the server begins to end: streams finish. */
  readonly closing: AbortSignal;
  readonly openConnections: number;
  readonly requestsInFlight: number;
  readonly openStreams: number;
}
