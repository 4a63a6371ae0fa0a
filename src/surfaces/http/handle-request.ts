/** The way of one request: host, route, token, limits, right, query, body, and only then the route itself. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../core/call/errors.ts";
import { isJsonObject, type Json } from "../../core/input/json.ts";
import type { Cancellation } from "../../core/run/abort.ts";
import { afterGateways, explainRing, gatewaysHeader } from "../../mcp/passed-gateways.ts";
import type { ServerParts } from "../serve/parts.ts";
import type { Answer } from "./answer.ts";
import { readBearer } from "./bearer.ts";
import { checkOrigin, type Names } from "./check-origin.ts";
import type { Exchange } from "./exchange.ts";
import type { MatchRoute } from "./match-route.ts";
import type { PreparedRoute } from "./prepare-route.ts";
import { bothPlaces, type PrincipalLimits } from "./principal-limits.ts";
import { type ProblemAnswer, problem } from "./problem.ts";
import { type BodyReading, type BodyResult, checkBodyHeaders, hasBody, readBody } from "./read-body.ts";
import { nobody, type Principal } from "./rights.ts";
import { type AnyRoute, isAllowed, type RefusedRequest, type RouteRequest } from "./route.ts";
import type { ServerLimits } from "./server-limits.ts";

export interface RequestParts {
  readonly parts: ServerParts;
  readonly matchRoute: MatchRoute;
  /** Known once the server listens. */
  readonly names: () => Names;
  readonly limits: ServerLimits;
  readonly principalLimits: PrincipalLimits;
  /** Value of WWW-Authenticate. */
  readonly challenge: string;
  /** Something of ours broke: for the log, not for the client. */
  readonly onBroken: (message: string) => void;
}

/** Undefined: the client is gone. */
export async function handleRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchange: Exchange,
  with_: RequestParts,
): Promise<Answer | undefined> {
  const { parts, limits } = with_;
  const misshapen = checkForm(incoming) ?? checkOrigin(incoming, with_.names());
  if (misshapen !== undefined) return misshapen;
  if (!parts.server.isReady)
    return problem("unavailable", "The server is shutting down.", { headers: { "retry-after": "5" } });

  const gateways = incoming.headers[gatewaysHeader]?.toString();
  const ring = gateways === undefined ? undefined : explainRing(gateways);
  if (ring !== undefined)
    return problem("gateway_ring", ring, { hint: "Take it out of the upstreams of the configuration." });

  const url = incoming.url ?? "";
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const match = with_.matchRoute(incoming.method ?? "", path);
  if (match.kind === "none") return problem("not_found", "No route has this path.", { hint: whereToLook });
  if (match.kind === "bad_path") return problem("bad_request", "The path is not properly encoded.");
  if (match.kind === "wrong_method") {
    const allowed = match.allowed.join(", ");
    return problem("method_not_allowed", `This path takes ${allowed}.`, { headers: { allow: allowed } });
  }
  const { route: prepared, params } = match;
  const { route } = prepared;
  exchange.route = route.path;

  const refused = (why: ProblemAnswer, who: Principal) =>
    recordRefusal(route, { params, principal: who, problem: why }, with_);
  let principal = nobody;
  if (route.right !== "public") {
    const found = await authenticate(incoming, with_);
    if ("kind" in found) return found;
    principal = found;
    exchange.hadToken = true;
    const place = with_.principalLimits.take(
      principal.caller.id,
      route.longLived === true ? "stream" : "request",
    );
    if (place.kind === "problem") return place;
    exchange.place = place;
    // After the limits: a refusal leaves a record, and must not leave them without end.
    if (!isAllowed(route, principal)) return refused(forbidden(prepared), principal);
    // Left while its token was looked at.
    if (exchange.hasEnded) return undefined;
  }

  const query = prepared.readQuery(mark === -1 ? "" : url.slice(mark + 1));
  if (!query.ok) return refused(problem("bad_request", query.detail, { issues: query.issues }), principal);
  const welcome =
    incoming.headers.expect === undefined
      ? undefined
      : route.welcome?.((name) => headerOf(incoming, name), parts);
  if (typeof welcome === "object") return welcome;
  const body = await takeBody(incoming, outgoing, exchange, prepared, {
    maxBytes: limits.maxBodyBytes,
    welcome,
  });
  if (!body.ok) return body.problem && refused(body.problem, principal);

  const request = new Request(
    params,
    query.query,
    body.value,
    body.text,
    principal,
    incoming,
    exchange,
    with_.principalLimits,
  );
  try {
    const handle = () => route.handle(request, parts);
    return await (gateways === undefined ? handle() : afterGateways(gateways, handle));
  } catch (error) {
    with_.onBroken(`${route.method} ${route.path}: ${messageOf(error)}`);
    return problem("internal", "The server could not do this; its log says why.");
  }
}

/** Answers the problem, once it is on record. */
async function recordRefusal(
  route: AnyRoute,
  refused: RefusedRequest<Readonly<Record<string, string>>>,
  { parts, onBroken }: RequestParts,
): Promise<ProblemAnswer> {
  try {
    await route.onRefused?.(refused, parts);
  } catch (error) {
    onBroken(`${route.method} ${route.path}: a refusal is not on record: ${messageOf(error)}`);
  }
  return refused.problem;
}

class Request implements RouteRequest<unknown, unknown, unknown> {
  readonly #incoming: IncomingMessage;
  readonly #exchange: Exchange;
  readonly #limits: PrincipalLimits;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly bodyText: string;
  readonly principal: Principal;

  constructor(
    params: Readonly<Record<string, string>>,
    query: unknown,
    body: unknown,
    bodyText: string,
    principal: Principal,
    incoming: IncomingMessage,
    exchange: Exchange,
    limits: PrincipalLimits,
  ) {
    this.params = params;
    this.query = query;
    this.body = body;
    this.bodyText = bodyText;
    this.principal = principal;
    this.#incoming = incoming;
    this.#exchange = exchange;
    this.#limits = limits;
  }

  get cancellation(): Cancellation {
    return this.#exchange.cancellation;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  stillWorking(): void {
    const { response } = this.#exchange;
    if (!response.headersSent && !response.destroyed) response.writeProcessing();
  }

  becomeStream(): ProblemAnswer | undefined {
    const place = this.#limits.take(this.principal.caller.id, "stream");
    if (place.kind === "problem") return place;
    this.#exchange.place?.give();
    this.#exchange.place = place;
    return undefined;
  }

  holdPlace(): () => void {
    return this.#exchange.holdPlace();
  }

  becomeSeveral(count: number): ProblemAnswer | undefined {
    const more = this.#limits.take(this.principal.caller.id, "request", count - 1);
    if (more.kind === "problem") return more;
    this.#exchange.place = bothPlaces(this.#exchange.place, more);
    return undefined;
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }

  trailer(name: string): string | undefined {
    return this.#incoming.trailers[name];
  }

  accepts(type: string): boolean {
    const accept = this.#incoming.headers.accept;
    if (accept === undefined || !accept.includes("/")) return false;
    return accept.split(",").some((one) => one.split(";", 1)[0]?.trim().toLowerCase() === type);
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** What two readers could understand in two ways. */
function checkForm(incoming: IncomingMessage): ProblemAnswer | undefined {
  if (incoming.url?.startsWith("/") !== true)
    return problem("bad_request", "The request target must be a path.");
  const { rawHeaders } = incoming;
  let seen = 0;
  /** Two values would be joined into one that is compared with the body. */
  let mcpHeaders: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const bit = once.get(name) ?? once.get(name.toLowerCase());
    if (bit === undefined) {
      if (!/^mcp-/i.test(name)) continue;
      const written = name.toLowerCase();
      if (mcpHeaders?.has(written) === true)
        return problem("bad_request", `The header ${written} is given twice.`);
      mcpHeaders ??= new Set();
      mcpHeaders.add(written);
      continue;
    }
    if ((seen & bit) !== 0) return problem("bad_request", `The header ${name.toLowerCase()} is given twice.`);
    seen |= bit;
  }
  return undefined;
}

/** Node keeps the first of two; what stands before us may have looked at the second. */
const once = new Map(
  ["host", "origin", "authorization", "content-type", "content-length", "content-encoding"].flatMap(
    (name, index) => [
      [name, 1 << index],
      [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), 1 << index],
    ],
  ) as [string, number][],
);

async function authenticate(
  incoming: IncomingMessage,
  { parts, challenge }: RequestParts,
): Promise<Principal | ProblemAnswer> {
  const token = readBearer(incoming.headers.authorization);
  if (token === undefined)
    return problem("unauthorized", "Every request needs a token.", {
      hint: "Send Authorization: Bearer TOKEN; `toolgate tokens create` makes one.",
      headers: { "www-authenticate": challenge },
    });
  const found = parts.tokens.find(token);
  const principal = found instanceof Promise ? await found : found;
  // One answer for unknown, expired and revoked: who guesses learns nothing.
  return (
    principal ??
    problem("unauthorized", "The token is not valid: unknown, expired or revoked.", {
      hint: "`toolgate tokens list` shows the tokens that are.",
      headers: { "www-authenticate": `${challenge}, error="invalid_token"` },
    })
  );
}

function forbidden({ route }: PreparedRoute): ProblemAnswer {
  const needed = typeof route.right === "string" ? route.right : route.right.join(" or ");
  return problem("forbidden", `This needs a token with the right ${needed}.`, {
    hint: "`toolgate tokens create NAME --rights ...` makes a token with the rights you choose.",
  });
}

async function takeBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchange: Exchange,
  { route, validateBody }: PreparedRoute,
  reading: BodyReading,
): Promise<BodyResult> {
  const refuse = (answer: ProblemAnswer): BodyResult => ({ ok: false, problem: answer });
  if (!hasBody(incoming)) {
    exchange.bodyIsRead = true;
    if (validateBody === undefined || route.bodyOptional === true) return noBody;
    return refuse(problem("bad_request", "This route needs a body: a JSON value."));
  }
  if (validateBody === undefined && route.method !== "POST")
    return refuse(problem("bad_request", "This route takes no body."));
  const wrong = checkBodyHeaders(incoming, reading.maxBytes);
  if (wrong !== undefined) return refuse(wrong);
  const body = await readBody(incoming, outgoing, reading);
  exchange.bodyIsRead = body.ok || incoming.complete;
  if (!body.ok) return body;
  // Many clients send an empty object with every POST.
  if (validateBody === undefined)
    return body.value === undefined || isEmptyObject(body.value)
      ? noBody
      : refuse(problem("bad_request", "This route takes no body, or an empty object."));
  if (body.value === undefined)
    return route.bodyOptional === true
      ? noBody
      : refuse(problem("bad_request", "This route needs a body: a JSON value."));
  const checked = validateBody(body.value);
  if (checked.ok) return body;
  const detail = checked.issues.map(({ message }) => message).join("; ");
  return refuse(
    problem("invalid_body", `The body does not have the right form: ${detail}.`, { issues: checked.issues }),
  );
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

const noBody: BodyResult = { ok: true, text: "", value: undefined };

const whereToLook = "GET /api/openapi.json describes what there is.";
