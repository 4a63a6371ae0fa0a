/** What both eras of the /mcp endpoint work with. */

import type { EndedClients } from "../../../core/ports/ended-clients.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Gate } from "../../../gate/gate.ts";
import { rpcCodes, whatIdsAre } from "../../../mcp/messages.ts";
import type { RouteRequest } from "../../http/route.ts";
import type { TokenCheck } from "../../http/server-parts.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import { looks } from "../methods.ts";
import type { McpServer } from "../server-parts.ts";
import { defaultSessionLimits, type SessionLimits } from "./sessions.ts";

export interface McpLegLimits extends SessionLimits {
  /** A request without an answer by then is given a stream. */
  readonly quietMs: number;
  readonly heartbeatMs: number;
  /** A stream is left after this time, and its client comes back to it. */
  readonly maxStreamMs: number;
}

export const defaultLegLimits: McpLegLimits = {
  ...defaultSessionLimits,
  quietMs: 5_000,
  heartbeatMs: 15_000,
  maxStreamMs: 30 * 60_000,
};

export interface EndpointParts {
  readonly server: McpServer;
  readonly gate: Pick<Gate, "tools">;
  readonly clock: Clock;
  readonly limits: McpLegLimits;
  /** Seals the ids of sessions. */
  readonly sessionKey: Uint8Array;
  /** Undefined: nobody else serves the same clients. */
  readonly endedClients?: EndedClients | undefined;
}

/** A request over HTTP. */
export interface McpRequest {
  readonly http: RouteRequest<unknown, unknown, unknown>;
  /** Whose token it is is asked again when the answer takes long. */
  readonly tokens: TokenCheck;
  /** The client takes a stream of events as its answer. */
  readonly mayStream: boolean;
}

/** Its token was not taken back since. */
export function mayStillLook({ http, tokens }: McpRequest): Promise<boolean> {
  return isStillAllowed(http, tokens, looks);
}

/** The same, and it may call tools. */
export function mayStillCall({ http, tokens }: McpRequest): Promise<boolean> {
  return isStillAllowed(http, tokens, ["call"]);
}

/** Of one stream. Progress that nobody takes is dropped; answers are kept while somebody may read them. */
export const streamBounds = { maxEvents: 1_000, maxBytes: 1024 * 1024 };

/** What streams that nobody reads hold for clients that may come back, in characters. */
export const replayBounds = { ofCaller: 8 * 1024 * 1024, ofAll: 64 * 1024 * 1024 };

export const wrongId = { code: rpcCodes.invalidRequest, message: whatIdsAre };
