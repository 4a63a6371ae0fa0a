/** A route of the REST API, and what such routes work with. */
import type { Gate } from "../../gate/gate.ts";
import type { OpenConfig } from "../../open/open-config.ts";
import type { Store } from "../../open/open-store.ts";
import type { OpenUpstreams } from "../../open/open-upstreams.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";
import type { PluginReport } from "../../sources/plugins/plugin-set.ts";
import type { HookService } from "../hook/served/hook-service.ts";
import { defineRouteFor } from "../http/route.ts";
import type { HttpParts, Served } from "../http/server-parts.ts";
import type { SignIn } from "../http/sign-in/create-sign-in.ts";
import type { ConsoleLogin } from "../http/tokens/console-login.ts";
import type { Agent } from "./contract.ts";
import type { EventFeed } from "./events/event-feed.ts";

export const defineRoute = defineRouteFor<RestParts & Served>();
/** For routes that need a gate and nothing else: they also work in a program without a store. */
export const defineGateRoute = defineRouteFor<GateRouteParts & Served>();
/** For routes that also need a store. */
export const defineStoreRoute = defineRouteFor<StoreRouteParts & Served>();
/** For routes about sessions of agents. */
export const defineSessionRoute = defineRouteFor<SessionRouteParts & Served>();

export interface SessionRouteParts extends HttpParts {
  /** Undefined: this server runs none. */
  readonly sessions?: ServedSessions | undefined;
}

/** Nothing of them is loaded before somebody asks. */
export interface ServedSessions {
  open(): Promise<Sessions>;
}

export interface GateRouteParts extends HttpParts {
  readonly gate: Gate;
  readonly plugins?: PluginReload | undefined;
  readonly config: ShownConfig;
  readonly version: string;
  /** Knows more secrets than can be told by their look. Undefined: there is no store. */
  readonly store?: Pick<Store, "redactText"> | undefined;
}

/** The code that makes `feed` closes it, before the store. */
export interface StoreRouteParts extends GateRouteParts {
  readonly store: Store;
  readonly metrics: ServerMetrics;
  readonly feed: EventFeed;
}

/** The code that makes `hooks` closes them, before the store. */
export interface RestParts extends StoreRouteParts {
  readonly sessions?: SessionRouteParts["sessions"];
  readonly config: ServedConfig;
  readonly upstreams?: OpenUpstreams | undefined;
  /** Undefined: agents cannot ask. */
  readonly hooks?: HookService | undefined;
  /** The coding agents of this machine. Undefined: nobody looks for them. */
  readonly agents?: (() => Promise<readonly Agent[]>) | undefined;
  /** Undefined: the console is switched off. */
  readonly console?: ConsoleLogin | undefined;
  /** Undefined: nobody signs in to the console with an identity provider. */
  readonly signIn?: SignIn | undefined;
}

export interface PluginReload {
  reload(): Promise<Pick<PluginReport, "success" | "errors" | "warnings">>;
}

/** What of the configuration is told to clients. */
export interface ShownConfig {
  readonly current: Pick<OpenConfig, "sources" | "ignored" | "notes" | "projectDir" | "steppedAside">;
  readonly broken: OpenConfig["problems"];
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
