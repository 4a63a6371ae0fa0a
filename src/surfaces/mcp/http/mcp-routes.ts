/** The MCP endpoint as routes: behind the same host, origin, token and limit checks as every other. */
import { Type } from "typebox";
import { type ProblemAnswer, problem } from "../../http/problem.ts";
import { type AnyRoute, defineRouteFor } from "../../http/route.ts";
import type { HttpParts, Served } from "../../http/server-parts.ts";
import { looks } from "../methods.ts";
import type { McpRequest } from "./endpoint-parts.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

export interface McpParts extends HttpParts {
  /** Whoever makes the endpoint closes it. Undefined: MCP clients are not served. */
  readonly mcp?: McpEndpoint | undefined;
}

const defineRoute = defineRouteFor<McpParts & Served>();

const path = "/mcp";
const events = { contentType: "text/event-stream", description: "JSON-RPC messages as events." };
/** What a single method needs is in the table of methods. */
const right = looks;

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
  handle: (request, parts) => parts.mcp?.post(request.body, requestOf(request, parts)) ?? notServed(),
});

const listen = defineRoute({
  method: "GET",
  path,
  right,
  summary: "What an MCP session's client is told besides answers (server-sent events)",
  description: "With `Last-Event-ID` the client goes on where its connection broke.",
  answers: { 200: events },
  longLived: true,
  handle: (request, parts) => parts.mcp?.listen(requestOf(request, parts)) ?? notServed(),
});

const end = defineRoute({
  method: "DELETE",
  path,
  right,
  summary: "Ends an MCP session",
  answers: { 200: { contentType: "application/json", description: "It is over." } },
  handle: (request, parts) => parts.mcp?.end(requestOf(request, parts)) ?? notServed(),
});

export const mcpRoutes: readonly AnyRoute<McpParts & Served>[] = [post, listen, end];

function requestOf(http: McpRequest["http"], { tokens }: McpParts & Served): McpRequest {
  return { http, tokens, mayStream: http.accepts("text/event-stream") };
}

function notServed(): ProblemAnswer {
  return problem("unavailable", "This server serves no MCP clients.");
}
