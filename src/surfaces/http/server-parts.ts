/** What the server works with, whatever its routes do. Each surface adds what its own routes need. */
import type { Clock } from "../../core/ports/ports.ts";
import type { TokenHolder } from "./rights.ts";
import type { AnyRoute } from "./route.ts";

/** What is given to the server. */
export interface HttpParts {
  /** What runs the calls. The server closes the gate when it begins to end. */
  readonly gate: { close(): Promise<void> };
  readonly tokens: TokenCheck;
  readonly metrics: { observeRequest(request: RequestObservation): void };
  readonly clock: Clock;
}

/** What the server itself adds for its routes. */
export interface Served {
  readonly server: ServerState;
  /** Every route of this server. */
  readonly routes: readonly AnyRoute[];
}

export interface TokenCheck {
  /** Who holds this token? Undefined: unknown, expired or revoked. */
  find(token: string): TokenHolder | undefined | Promise<TokenHolder | undefined>;
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
  /** The address as a client would write it; empty before the server listens. */
  readonly url: string;
  /** What stands before every path of its routes. */
  readonly prefix: string;
  /** The server takes requests. False as soon as it begins to end. */
  readonly isReady: boolean;
  /** Aborted when the server begins to end: streams finish. */
  readonly closing: AbortSignal;
  readonly openConnections: number;
  readonly requestsInFlight: number;
  readonly openStreams: number;
}
