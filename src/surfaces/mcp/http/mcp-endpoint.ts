/** The way in for MCP clients over HTTP, of both eras at one address. */
import { isJsonObject } from "../../../core/input/json.ts";
import { isRequestId, RpcError, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import type { Principal } from "../../http/rights.ts";
import { answerBatch } from "./answer-batch.ts";
import { createLegacyLeg } from "./answer-legacy.ts";
import { answerModern } from "./answer-modern.ts";
import { eraOf } from "./check-headers.ts";
import {
  defaultLegLimits,
  type EndpointParts,
  type McpLegLimits,
  type McpRequest,
  type PostedMessage,
  wrongId,
} from "./endpoint-parts.ts";
import { checkCallHeaders } from "./param-headers.ts";
import { accepted, refused } from "./rpc-answers.ts";

export interface McpEndpointOptions extends Omit<EndpointParts, "limits"> {
  readonly limits?: Partial<McpLegLimits>;
}

export interface McpEndpoint {
  /** How many are held. */
  readonly sessions: number;
  /** One message, or several as a list where the protocol version has that. */
  post(body: unknown, request: McpRequest): Answer | Promise<Answer>;
  /** The stream of a session: what belongs to no request, or what a client comes back for. */
  listen(request: McpRequest): Answer;
  /** A session is over. */
  end(request: McpRequest): Answer;
  close(): void;
}

export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const parts: EndpointParts = { ...options, limits: { ...defaultLegLimits, ...options.limits } };
  const legacy = createLegacyLeg(parts);
  return {
    get sessions() {
      return legacy.sessions;
    },
    post(body, request) {
      if (!Array.isArray(body)) return post(body, request);
      return answerBatch(body, request, { post, versionOf: (of) => legacy.versionOf(of) });
    },
    listen: (request) => legacy.listen(request),
    end: (request) => legacy.end(request),
    close: () => legacy.close(),
  };

  function post(body: unknown, request: McpRequest): Answer | Promise<Answer> {
    if (!isMessage(body)) return refused(400, null, wrongBody);
    const { id, method, params } = body;
    const requestId = isRequestId(id) ? id : null;
    if (method === undefined) return legacy.post(body, request);
    if (!mayAsk(request.principal, method, params)) return refused(403, requestId, rightNeeded(method));
    try {
      const era = eraOf({ method, params }, headersOf(request), id !== undefined);
      checkCallHeaders({ method, params }, (name) => request.header(name), parts.gate.tools, {
        mayBeMissing: era === "legacy",
      });
      if (era === "legacy") return legacy.post(body, request);
      if (id === undefined) return accepted;
      return requestId === null
        ? refused(400, null, wrongId)
        : answerModern({ ...body, id: requestId, method }, request, parts);
    } catch (error) {
      if (error instanceof RpcError) return refused(400, requestId, error);
      throw error;
    }
  }
}

function isMessage(body: unknown): body is PostedMessage {
  if (!isJsonObject(body) || body.jsonrpc !== "2.0") return false;
  return (
    typeof body.method === "string" || (body.method === undefined && ("result" in body || "error" in body))
  );
}

const wrongBody = {
  code: rpcCodes.invalidRequest,
  message: 'A message is an object with "jsonrpc": "2.0" and a method, a result or an error.',
};

function headersOf(request: McpRequest) {
  return {
    protocolVersion: request.header("mcp-protocol-version"),
    method: request.header("mcp-method"),
    name: request.header("mcp-name"),
  };
}

/** Whoever may only look may not run anything. */
function mayAsk({ rights }: Principal, method: string, params: unknown): boolean {
  return rights.has("call") || !(runs.has(method) || subscribes(params));
}

/** `subscriptions/listen` with resources is what `resources/subscribe` was: their servers are told. */
function subscribes(params: unknown): boolean {
  const wanted = isJsonObject(params) ? params.notifications : undefined;
  return isJsonObject(wanted) && wanted.resourceSubscriptions !== undefined;
}

const runs = new Set([
  "tools/call",
  "resources/read",
  "prompts/get",
  "completion/complete",
  "resources/subscribe",
]);

function rightNeeded(method: string): { readonly code: number; readonly message: string } {
  return { code: rpcCodes.invalidRequest, message: `${method} needs a token with the right call.` };
}
