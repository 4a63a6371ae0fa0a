/** A route of the REST API, and what such routes work with. */
import type { Gate } from "../../gate/gate.ts";
import type { OpenConfig } from "../../open/open-config.ts";
import type { Store } from "../../open/open-store.ts";
import type { OpenUpstreams } from "../../open/open-upstreams.ts";
import type { PluginReport } from "../../sources/plugins/plugin-set.ts";
import type { HookService } from "../hook/served/hook-service.ts";
import { defineRouteFor } from "../http/route.ts";
import type { HttpParts, Served } from "../http/server-parts.ts";
import type { EventFeed } from "./events/event-feed.ts";

export const defineRoute = defineRouteFor<RestParts & Served>();

/** The code that makes `feed` and `hooks` closes them, before the store. */
export interface RestParts extends HttpParts {
  readonly gate: Gate;
  readonly store: Store;
  readonly plugins?: PluginReload | undefined;
  readonly upstreams?: OpenUpstreams | undefined;
  readonly config: ServedConfig;
  readonly metrics: ServerMetrics;
  readonly feed: EventFeed;
  /** Undefined: agents cannot ask. */
  readonly hooks?: HookService | undefined;
  readonly version: string;
}

export interface PluginReload {
  reload(): Promise<Pick<PluginReport, "success" | "errors" | "warnings">>;
}

export interface ServedConfig {
  /** The configuration as it was loaded last; a broken change leaves the last good one. */
  readonly current: OpenConfig;
  /** Why the files as they are now are not used; empty when they are. */
  readonly broken: OpenConfig["problems"];
}

/** What the server tells about every request it answered; routes may add their own. */
export interface ServerMetrics {
  observeRequest: HttpParts["metrics"]["observeRequest"];
  /** In Prometheus' text format. */
  render(): Promise<string>;
}
