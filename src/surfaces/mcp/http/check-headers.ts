/**
 * Which era a posted message belongs to, and whether its headers say the same as its body: a proxy before us
 * decides by the headers, we by the body.
 */
import { isJsonObject } from "../../../core/input/json.ts";
import { claimsModern, isModernVersion, metaOf } from "../../../mcp/eras.ts";
import { metaKeys, RpcError, rpcCodes } from "../../../mcp/messages.ts";
import { decodeHeaderValue, namedBy } from "../../../mcp/request-headers.ts";

export interface McpHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** Throws the RpcError that a modern client is to be told with status 400. */
export function eraOf(
  message: { readonly method: string; readonly params?: unknown },
  headers: McpHeaders,
  isRequest: boolean,
): "legacy" | "modern" {
  const { method, params } = message;
  const headerIsModern = isModernVersion(headers.protocolVersion);
  if (!claimsModern(params)) {
    if (!headerIsModern) return checkLegacy(method, params, headers);
    // Notifications have nothing to say about their sender.
    if (!isRequest) return checkMethod(method, headers, false);
    if (method === "initialize")
      throw mismatch("initialize belongs to older protocol versions", headers.protocolVersion, {
        name: "MCP-Protocol-Version",
        body: isJsonObject(params) ? params.protocolVersion : undefined,
      });
    throw new RpcError(
      rpcCodes.invalidParams,
      `The header MCP-Protocol-Version names ${headers.protocolVersion}, and every request of it needs ${metaKeys.protocolVersion} in params._meta.`,
      { envelope: { missing: metaOf(params) === undefined ? ["_meta"] : [metaKeys.protocolVersion] } },
    );
  }
  const claimed = metaOf(params)?.[metaKeys.protocolVersion];
  const version = { name: "MCP-Protocol-Version", body: claimed };
  if (headers.protocolVersion === undefined) {
    if (isRequest) throw missing(version);
  } else if (headers.protocolVersion !== claimed)
    throw mismatch(
      `params._meta names protocol version ${short(claimed)}, the header MCP-Protocol-Version another`,
      headers.protocolVersion,
      version,
    );
  checkMethod(method, headers, isRequest);
  if (isRequest) checkName(method, params, headers.name);
  return "modern";
}

/** An older client need not send them, but a proxy may have decided by what it sent. */
function checkLegacy(method: string, params: unknown, headers: McpHeaders): "legacy" {
  checkMethod(method, headers, false);
  if (headers.name !== undefined) checkName(method, params, headers.name);
  return "legacy";
}

function checkMethod(method: string, headers: McpHeaders, isRequired: boolean): "modern" {
  if (headers.method === method || (headers.method === undefined && !isRequired)) return "modern";
  const compared = { name: "Mcp-Method", body: method };
  throw headers.method === undefined
    ? missing(compared)
    : mismatch(
        `the body names the method ${short(method)}, the header Mcp-Method another`,
        headers.method,
        compared,
      );
}

/** In a session of an older version the header names another one than `initialize` agreed on. */
export function otherVersion(header: string, agreed: string): RpcError {
  return new RpcError(
    rpcCodes.invalidRequest,
    `The header MCP-Protocol-Version names ${JSON.stringify(short(header))}, and this session agreed on ${agreed}.`,
  );
}

function checkName(method: string, params: unknown, header: string | undefined): void {
  const field = namedBy.get(method);
  if (field === undefined) return;
  const named = isJsonObject(params) ? params[field] : undefined;
  if (header === named) return;
  // Whoever answers the method says what is wrong with the body.
  if (typeof named !== "string") return;
  const compared = { name: "Mcp-Name", body: named };
  if (header === undefined) throw missing(compared);
  if (decodeHeaderValue(header) !== named)
    throw mismatch(
      `the body names ${JSON.stringify(short(named))}, the header Mcp-Name another`,
      header,
      compared,
    );
}

interface Compared {
  /** Which header. */
  readonly name: string;
  /** What the body holds in its place. */
  readonly body: unknown;
}

function missing(compared: Compared): RpcError {
  return mismatch(`the header ${compared.name} is missing`, undefined, compared);
}

/** `header`: what it says; undefined if it is not there. */
export function mismatch(what: string, header: string | undefined, compared: Compared): RpcError {
  return new RpcError(rpcCodes.headerMismatch, `The headers and the body do not fit: ${what}.`, {
    mismatch: {
      name: compared.name,
      header: header === undefined ? null : short(header),
      body: compared.body === undefined ? null : short(compared.body),
    },
  });
}

/** The sender knows what it sent: enough to recognise it, never all of a long one. */
function short(value: unknown): string {
  return (typeof value === "string" ? value : String(JSON.stringify(value))).slice(0, 200);
}
