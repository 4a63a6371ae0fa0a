/** A question of a tool, or of an upstream server, to the person at the client that called it. */
import type { JsonObject } from "../input/json.ts";

export interface ElicitRequest {
  /** Who asks, as the person should read it: the upstream server, or the tool. */
  readonly from: string;
  /** As in MCP's `elicitation/create`: `{message, requestedSchema}`, or `{mode: "url", message, url}`. */
  readonly params: JsonObject;
  /** The question's name among those of the same call, for clients that answer several at once. */
  readonly key?: string | undefined;
}

export interface ElicitAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** What was filled in; only for an accepted form. */
  readonly content?: JsonObject;
}

/** Rejects when the client goes away or the signal aborts. A client that cannot be asked has none. */
export type Elicit = (
  request: ElicitRequest,
  context: { readonly signal: AbortSignal },
) => Promise<ElicitAnswer>;
