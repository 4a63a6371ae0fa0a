/** A call that waits for its client's answers, and what of a request belongs to it. */
import { createHash } from "node:crypto";
import type { Progress } from "../../../core/call/call.ts";
import type { ElicitAnswer } from "../../../core/call/elicit.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { callerIdOf, type Exchange, wrongParams } from "../exchange.ts";
import type { StateFacts } from "./request-state.ts";

export interface Question {
  readonly params: JsonObject;
  readonly answer: (given: ElicitAnswer) => void;
}

export interface Leg {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly tell: ((progress: Progress) => void) | undefined;
}

export interface Parked {
  readonly id: string;
  readonly caller: string;
  /** The request that began it. */
  readonly first: Exchange;
  readonly questions: Map<string, Question>;
  /** What the client brought for a call that was lost with its process: taken where the same is asked again. */
  readonly brought: Readonly<Record<string, Json>>;
  /** The request that waits now; undefined between two of them. */
  leg: Leg | undefined;
  turn: number;
  /** How it ended while nobody waited for it. */
  end: { readonly settle: (leg: Leg) => void } | undefined;
  cancelTimer: () => void;
}

const goodKey = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** What a client brought, and who waits. */
export interface Came {
  readonly signal: Exchange["request"]["signal"] | undefined;
  readonly tell: Leg["tell"];
  readonly responses: JsonObject;
}

export function responsesOf({ request }: Exchange): JsonObject {
  const { inputResponses } = request.params;
  return isJsonObject(inputResponses) ? inputResponses : {};
}

/** The same for the same question: asked again by another process, it is answered already. */
export function freeKey({ questions }: Parked, params: JsonObject, named?: string): string {
  if (named !== undefined && goodKey.test(named) && !questions.has(named)) return named;
  for (let same = 0; ; same++) {
    const hash = createHash("sha256").update(JSON.stringify([same, params]));
    const key = `q${hash.digest("hex").slice(0, 16)}`;
    if (!questions.has(key)) return key;
  }
}

export function unusable() {
  return wrongParams(
    "This requestState cannot be used: it is expired, was used already, belongs to another request, or your token may do other things now. Send the request without it.",
  );
}

export function factsOf(exchange: Exchange): StateFacts {
  const { transport } = exchange;
  const { caller, mayRead, mayApprove } = transport;
  // The call goes on with the rights that it began with: a token that answers must have the same.
  const who = [
    callerIdOf(transport),
    mayRead !== false,
    mayApprove !== false,
    ...(caller?.capabilities ?? []),
  ];
  return { who, about: aboutOf(exchange) };
}

/** The request as such, without what may differ when it comes back. */
function aboutOf({ request }: Exchange): Json {
  const { _meta, requestState, inputResponses, ...params } = request.params;
  return { method: request.method, params };
}

/** `elicitationId` belongs to the older way of asking. */
export function withoutLegacyFields({ elicitationId: _id, ...params }: JsonObject): JsonObject {
  return params;
}
