/** The MCP endpoint as routes: behind the same host, origin, token and limit checks as every other. */
import { Type } from "typebox";
import type { Cancellation } from "../../../core/run/abort.ts";
import { type ProblemAnswer, problem } from "../../http/problem.ts";
import type { Principal } from "../../http/rights.ts";
import { type AnyRoute, defineRouteFor, type RouteRequest } from "../../http/route.ts";
import type { HttpParts, Served, TokenCheck } from "../../http/server-parts.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import type { McpRequest } from "./endpoint-parts.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

export interface McpParts extends HttpParts {
  /** Whoever makes the endpoint closes it. Undefined: MCP clients are not served. */
  readonly mcp?: McpEndpoint | undefined;
}

const defineRoute = defineRouteFor<McpParts & Served>();

const path = "/mcp";
const events = { contentType: "text/event-stream", description: "JSON-RPC messages as events." };
/** Methods that run something are refused to those who may only read. */
const right = ["call", "read"] as const;

const post = defineRoute({
  method: "POST",
  path,
  right,
  summary: "One MCP message (Streamable HTTP)",
  description:
    "For MCP clients, protocol 2025-11-25 and older (with a session) and 2026-07-28. The answer is JSON, or a stream of events where there is " +
    "more to say than the answer.",
  // Whatever is in it, it is answered in the words of JSON-RPC.
  body: Type.Unknown(),
  answers: {
    200: Type.Record(Type.String(), Type.Unknown()),
    202: { contentType: "application/json", description: "Taken; there is nothing to answer." },
  },
  otherForms: [events],
  handle: (request, { mcp, tokens }) =>
    mcp?.post(request.body, new OpenRequest(request, tokens)) ?? notServed(),
});

const listen = defineRoute({
  method: "GET",
  path,
  right,
  summary: "What an MCP session's client is told besides answers (server-sent events)",
  description: "With `Last-Event-ID` the client goes on where its connection broke.",
  answers: { 200: events },
  longLived: true,
  handle: (request, { mcp, tokens }) => mcp?.listen(new OpenRequest(request, tokens)) ?? notServed(),
});

const end = defineRoute({
  method: "DELETE",
  path,
  right,
  summary: "Ends an MCP session",
  answers: { 200: { contentType: "application/json", description: "It is over." } },
  handle: (request, { mcp, tokens }) => mcp?.end(new OpenRequest(request, tokens)) ?? notServed(),
});

export const mcpRoutes: readonly AnyRoute<McpParts & Served>[] = [post, listen, end];

type AnyRequest = RouteRequest<unknown, unknown, unknown>;

class OpenRequest implements McpRequest {
  readonly #request: AnyRequest;
  readonly #tokens: TokenCheck;

  constructor(request: AnyRequest, tokens: TokenCheck) {
    this.#request = request;
    this.#tokens = tokens;
  }

  get principal(): Principal {
    return this.#request.principal;
  }

  get cancellation(): Cancellation {
    return this.#request.cancellation;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  accepts(type: string): boolean {
    return this.#request.accepts(type);
  }

  becomeStream(): ProblemAnswer | undefined {
    return this.#request.becomeStream();
  }

  holdPlace(): () => void {
    return this.#request.holdPlace();
  }

  becomeSeveral(count: number): ProblemAnswer | undefined {
    return this.#request.becomeSeveral(count);
  }

  isStillAllowed(): Promise<boolean> {
    return isStillAllowed(this, this.#tokens, right);
  }

  mayStillCall(): Promise<boolean> {
    return isStillAllowed(this, this.#tokens, ["call"]);
  }
}

function notServed(): ProblemAnswer {
  return problem("unavailable", "This server serves no MCP clients.");
}
