/** The way in for MCP clients over HTTP, of both eras at one address. */
import { isJsonObject } from "../../../core/input/json.ts";
import { listOf, whyNoBatch } from "../../../mcp/batch.ts";
import { claimsModern, isModernVersion } from "../../../mcp/eras.ts";
import { isMessage, isRequestId, RpcError, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../http/answer.ts";
import { mayAsk } from "../methods.ts";
import { createLegacyEndpoint } from "./answer-legacy.ts";
import { answerModern } from "./answer-modern.ts";
import { eraOf } from "./check-headers.ts";
import {
  defaultLegLimits,
  type EndpointParts,
  type McpLegLimits,
  type McpRequest,
  wrongId,
} from "./endpoint-parts.ts";
import { checkCallHeaders } from "./param-headers.ts";
import { accepted, refused, rpcAnswer } from "./rpc-answers.ts";

export interface McpEndpointOptions extends Omit<EndpointParts, "limits"> {
  readonly limits?: Partial<McpLegLimits>;
}

export type McpEndpoint = ReturnType<typeof createMcpEndpoint>;

export function createMcpEndpoint(options: McpEndpointOptions) {
  const parts: EndpointParts = { ...options, limits: { ...defaultLegLimits, ...options.limits } };
  const legacy = createLegacyEndpoint(parts);
  return {
    /** How many are held. */
    get sessions(): number {
      return legacy.sessions;
    },
    /** One message, or several as a list where the protocol version has that. */
    post: (body: unknown, request: McpRequest): Answer | Promise<Answer> =>
      Array.isArray(body) ? postBatch(body, request) : post(body, request),
    /** The stream of a session: what belongs to no request, or what a client comes back for. */
    listen: legacy.listen,
    /** A session is over. */
    end: legacy.end,
    close: legacy.close,
  };

  /** Each message of a batch is taken and counted as if it came alone. The answers go back as one list. */
  async function postBatch(messages: readonly unknown[], request: McpRequest): Promise<Answer> {
    const { http } = request;
    const isModern = isModernVersion(http.header("mcp-protocol-version"));
    const version = isModern ? undefined : await legacy.versionOf(request);
    if (typeof version === "object") return version;
    const why = whyNoBatch(messages, version) ?? (messages.some(standsAlone) ? alone : undefined);
    if (why !== undefined) return refused(400, null, { code: rpcCodes.invalidRequest, message: why });
    const tooMany = http.becomeSeveral(messages.length);
    if (tooMany !== undefined) return tooMany;
    // One list has one way back: what would be told before an answer goes to the session's own stream.
    const one: McpRequest = { ...request, mayStream: false };
    const answers = await Promise.all(messages.map((message) => post(message, one)));
    const texts = answers.flatMap((answer) =>
      answer.kind === "ready" && answer.bytes !== "" ? [String(answer.bytes)] : [],
    );
    return texts.length === 0 ? accepted : rpcAnswer(listOf(texts));
  }

  /** The one place where a posted message is read, and its era is decided. */
  function post(body: unknown, request: McpRequest): Answer | Promise<Answer> {
    if (!isMessage(body)) return refused(400, null, wrongBody);
    const { id, method, params } = body;
    const requestId = isRequestId(id) ? id : null;
    if (method === undefined) return legacy.post(body, request);
    const { http } = request;
    if (!mayAsk(http.holder.rights, method, params))
      return refused(403, requestId, {
        code: rpcCodes.invalidRequest,
        message: `${method} needs a token with the right call.`,
      });
    try {
      const era = eraOf({ method, params }, headersOf(request), id !== undefined);
      const find = (name: string) => parts.gate.tools.seenBy(http.holder.caller, name);
      checkCallHeaders({ method, params }, (name) => http.header(name), find, {
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

const wrongBody = {
  code: rpcCodes.invalidRequest,
  message: 'A message is an object with "jsonrpc": "2.0" and a method, a result or an error.',
};

function headersOf({ http }: McpRequest) {
  return {
    protocolVersion: http.header("mcp-protocol-version"),
    method: http.header("mcp-method"),
    name: http.header("mcp-name"),
  };
}

const alone = "initialize, and requests that say which version they speak, are sent by themselves.";

/** They belong to no session that is there already. */
function standsAlone(message: unknown): boolean {
  return isJsonObject(message) && (message.method === "initialize" || claimsModern(message.params));
}
