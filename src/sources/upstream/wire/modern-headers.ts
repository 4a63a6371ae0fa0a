/** The header fields of a modern request over HTTP, which repeat what the body says. */
import type { JsonObject } from "../../../core/input/json.ts";
import { metaOf } from "../../../mcp/eras.ts";
import { metaKeys } from "../../../mcp/messages.ts";
import {
  argumentAt,
  encodeHeaderValue,
  type HeaderArgument,
  headerArguments,
  namedBy,
} from "../../../mcp/request-headers.ts";
import type { WireRequest } from "./wire.ts";

/** None for a legacy request. */
export function modernHeaders({ method, params = {} }: WireRequest): Record<string, string> {
  const version = metaOf(params)?.[metaKeys.protocolVersion];
  if (typeof version !== "string") return {};
  const name = params[namedBy.get(method) ?? ""];
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": encodeHeaderValue(name) }),
  };
}

const maxHeaders = 32;

/** The arguments that go into header fields, by tool. */
export function wantedHeaders(tools: readonly JsonObject[]): ReadonlyMap<string, readonly HeaderArgument[]> {
  const headers = new Map<string, readonly HeaderArgument[]>();
  for (const { name, inputSchema } of tools) {
    const wanted = headerArguments(inputSchema).slice(0, maxHeaders);
    if (typeof name === "string" && wanted.length > 0) headers.set(name, wanted);
  }
  return headers;
}

export function argumentHeaders(
  wanted: readonly HeaderArgument[],
  args: JsonObject,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const one of wanted) {
    const value = argumentAt(args, one);
    if (typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value))
      headers[`mcp-param-${one.header.toLowerCase()}`] = encodeHeaderValue(String(value));
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}
