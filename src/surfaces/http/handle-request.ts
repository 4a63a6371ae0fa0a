/** The way of one request: host, route, token, limits, right, query, body, and only then the route itself. */
import type { IncomingMessage } from "node:http";
import { messageOf } from "../../core/call/errors.ts";
import { afterGateways, explainRing, gatewaysHeader } from "../../mcp/passed-gateways.ts";
import type { Answer } from "./answer.ts";
import { readBearer } from "./bearer.ts";
import type { CallerLimits } from "./caller-limits.ts";
import { checkForm } from "./check-form.ts";
import { checkOrigin, type Names } from "./check-origin.ts";
import type { Exchange } from "./exchange.ts";
import type { MatchRoute } from "./match-route.ts";
import type { PreparedRoute } from "./prepare-route.ts";
import { type ProblemAnswer, problem, problemOfStore } from "./problem.ts";
import { hasBody } from "./read-body.ts";
import { nobody, type TokenHolder } from "./rights.ts";
import { isAllowed, type RefusedRequest } from "./route.ts";
import { headerOf, RouteRequest } from "./route-request.ts";
import type { ServerLimits } from "./server-limits.ts";
import type { ServerState, TokenCheck } from "./server-parts.ts";
import type { Site } from "./site/site.ts";
import { takeBody } from "./take-body.ts";

export interface RequestParts {
  readonly tokens: TokenCheck;
  readonly server: ServerState;
  readonly matchRoute: MatchRoute;
  /** Undefined: there are no pages for people. */
  readonly site: Site | undefined;
  /** Known once the server listens. */
  readonly names: (incoming: IncomingMessage) => Names;
  readonly limits: ServerLimits;
  readonly callerLimits: CallerLimits;
  /** Value of WWW-Authenticate. */
  readonly challenge: string;
  /** Something of ours broke: for the log, not for the client. */
  readonly onBroken: (message: string) => void;
}

/** Undefined: the client is gone. */
export async function handleRequest(
  incoming: IncomingMessage,
  exchange: Exchange,
  parts: RequestParts,
): Promise<Answer | undefined> {
  const { limits, callerLimits } = parts;
  const misshapen = checkForm(incoming);
  if (misshapen !== undefined) return misshapen;
  const { prefix } = parts.server;
  const asked = incoming.url ?? "";
  // Under another prefix there is no route.
  const url = asked.startsWith(prefix) ? asked.slice(prefix.length) : "";
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const match = parts.matchRoute(incoming.method ?? "", path);
  const page = match.kind === "none" ? parts.site?.find(incoming, path) : undefined;
  const stranger = checkOrigin(incoming, parts.names(incoming), page !== undefined);
  if (stranger !== undefined) return stranger;
  if (!parts.server.isReady)
    return problem("unavailable", "The server is shutting down.", { headers: { "retry-after": "5" } });

  const gateways = incoming.headers[gatewaysHeader]?.toString();
  const ring = gateways === undefined ? undefined : explainRing(gateways);
  if (ring !== undefined)
    return problem("gateway_ring", ring, { hint: "Take it out of the upstreams of the configuration." });

  if (page !== undefined) {
    exchange.route = "/";
    exchange.bodyIsRead = !hasBody(incoming);
    return page();
  }
  if (match.kind === "none")
    return problem("not_found", "No route has this path.", { hint: whereToLook(prefix) });
  if (match.kind === "bad_path") return problem("bad_request", "The path is not properly encoded.");
  if (match.kind === "wrong_method") {
    const allowed = match.allowed.join(", ");
    return problem("method_not_allowed", `This path takes ${allowed}.`, { headers: { allow: allowed } });
  }
  const { route: prepared, params } = match;
  const { route } = prepared;
  exchange.route = route.path;

  const refused = (why: ProblemAnswer, who: TokenHolder) =>
    recordRefusal(prepared, { params, holder: who, problem: why }, parts);
  let holder = nobody;
  if (route.right !== "public") {
    const found = await authenticate(incoming, parts);
    if ("kind" in found) return found;
    holder = found;
    exchange.hadToken = true;
    const kind = route.longLived === true ? "stream" : "request";
    const place = callerLimits.take(holder.caller.id, kind);
    if (place.kind === "problem") return place;
    exchange.place = place;
    // After the limits: a refusal leaves a record, and there must not be records without end.
    if (!isAllowed(route, holder)) return refused(forbidden(prepared), holder);
    // The client left while its token was looked up.
    if (exchange.hasEnded) return undefined;
  }

  const query = prepared.readQuery(mark === -1 ? "" : url.slice(mark + 1));
  if (!query.ok) return refused(problem("bad_request", query.detail, { issues: query.issues }), holder);
  const welcome =
    incoming.headers.expect === undefined ? undefined : prepared.welcome((name) => headerOf(incoming, name));
  if (typeof welcome === "object") return welcome;
  const maxBytes = Math.min(route.maxBodyBytes ?? limits.maxBodyBytes, limits.maxBodyBytes);
  const body = await takeBody(incoming, exchange, prepared, { maxBytes, welcome });
  if (!body.ok) return body.problem && refused(body.problem, holder);

  const request = new RouteRequest(
    { params, query: query.query, body: body.value, bodyText: body.text, holder },
    { incoming, exchange, callerLimits },
  );
  try {
    const handle = () => prepared.handle(request);
    return await (gateways === undefined ? handle() : afterGateways(gateways, handle));
  } catch (error) {
    // A client that left has ended its own request: nothing broke, and nobody is there to be answered.
    if (exchange.hasEnded && isAbort(error)) return undefined;
    parts.onBroken(`${route.method} ${route.path}: ${messageOf(error)}`);
    return problemOfStore(error) ?? problem("internal", "The server could not do this; its log says why.");
  }
}

/** Answers the problem, once it is on record. */
async function recordRefusal(
  { route, onRefused }: PreparedRoute,
  refused: RefusedRequest<Readonly<Record<string, string>>>,
  { onBroken }: RequestParts,
): Promise<ProblemAnswer> {
  try {
    await onRefused(refused);
  } catch (error) {
    onBroken(`${route.method} ${route.path}: a refusal is not on record: ${messageOf(error)}`);
  }
  return refused.problem;
}

async function authenticate(
  incoming: IncomingMessage,
  { tokens, challenge }: RequestParts,
): Promise<TokenHolder | ProblemAnswer> {
  const token = readBearer(incoming.headers.authorization);
  if (token === undefined)
    return problem("unauthorized", "Every request needs a token.", {
      hint: "Send Authorization: Bearer TOKEN; `toolgate tokens create` makes one.",
      headers: { "www-authenticate": challenge },
    });
  const found = tokens.find(token);
  // The list of tokens cannot be read: nobody knows whether it is valid.
  const holder = found instanceof Promise ? await found.catch(orThrow) : found;
  if (holder !== undefined && "kind" in holder) return holder;
  // One answer for unknown, expired and revoked tokens: guessing tells nothing.
  return (
    holder ??
    problem("unauthorized", "The token is not valid: unknown, expired or revoked.", {
      hint: "`toolgate tokens list` shows the tokens that are.",
      headers: { "www-authenticate": `${challenge}, error="invalid_token"` },
    })
  );
}

function orThrow(error: unknown): ProblemAnswer {
  const away = problemOfStore(error);
  if (away === undefined) throw error;
  return away;
}

function forbidden({ route }: PreparedRoute): ProblemAnswer {
  const needed = typeof route.right === "string" ? route.right : route.right.join(" or ");
  return problem("forbidden", `This needs a token with the right ${needed}.`, {
    hint: "`toolgate tokens create NAME --rights ...` makes a token with the rights you choose.",
  });
}

function whereToLook(prefix: string): string {
  return `GET ${prefix}/api/openapi.json describes what there is.`;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
