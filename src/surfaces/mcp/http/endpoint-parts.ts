/** What both eras of the /mcp endpoint work with. */

import type { Clock } from "../../../core/ports/ports.ts";
import type { Cancellation } from "../../../core/run/abort.ts";
import type { Gate } from "../../../gate/gate.ts";
import { type RequestId, rpcCodes, whatIdsAre } from "../../../mcp/messages.ts";
import type { ProblemAnswer } from "../../http/problem.ts";
import type { Principal } from "../../http/rights.ts";
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
}

/** What the endpoint needs to know of a request over HTTP. */
export interface McpRequest {
  readonly principal: Principal;
  /** Aborted when the client is gone. */
  readonly cancellation: Cancellation;
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  accepts(type: string): boolean;
  /** Its token was not taken back since. */
  isStillAllowed(): boolean | Promise<boolean>;
  /** The same, and it may call tools. */
  mayStillCall(): boolean | Promise<boolean>;
  /** It stays open for long. A problem: the principal has too many such requests. */
  becomeStream(): ProblemAnswer | undefined;
  /** It goes on without its client, and counts as one of the principal's requests until what this returns is called. */
  holdPlace(): () => void;
  /** It holds several messages, and counts as so many requests. A problem: that is more than the principal may have. */
  becomeSeveral(count: number): ProblemAnswer | undefined;
}

/** A message whose outside is right. */
export interface PostedMessage {
  readonly jsonrpc: "2.0";
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
}

export interface PostedCall extends PostedMessage {
  readonly id: RequestId;
  readonly method: string;
}

/** Of one stream. Progress that nobody takes is dropped; answers are not, while somebody may be about to read them. */
export const streamBounds = { maxEvents: 1_000, maxBytes: 1024 * 1024 };

/** What streams that nobody reads hold for clients that may come back, in characters. */
export const replayBounds = { ofPrincipal: 8 * 1024 * 1024, ofAll: 64 * 1024 * 1024 };

export const wrongId = { code: rpcCodes.invalidRequest, message: whatIdsAre };
