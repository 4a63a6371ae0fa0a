/** The MCP endpoint as routes: behind the same host, origin, token and limit checks as every other. */
import { Type } from "typebox";
import { type ProblemAnswer, problem } from "../../http/problem.ts";
import { type AnyRoute, defineRoute } from "../../http/route.ts";

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
  handle: (request, { mcp }) => mcp?.post(request.body, request) ?? notServed(),
});

const listen = defineRoute({
  method: "GET",
  path,
  right,
  summary: "What an MCP session's client is told besides answers (server-sent events)",
  description: "With `Last-Event-ID` the client goes on where its connection broke.",
  answers: { 200: events },
  longLived: true,
  handle: (request, { mcp }) => mcp?.listen(request) ?? notServed(),
});

const end = defineRoute({
  method: "DELETE",
  path,
  right,
  summary: "Ends an MCP session",
  answers: { 200: { contentType: "application/json", description: "It is over." } },
  handle: (request, { mcp }) => mcp?.end(request) ?? notServed(),
});

export const mcpRoutes: readonly AnyRoute[] = [post, listen, end];

function notServed(): ProblemAnswer {
  return problem("unavailable", "This server serves no MCP clients.");
}
