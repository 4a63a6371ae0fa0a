/** One request of a client as handlers see it: what was asked, by whom, and what this client can do. */
import type { Caller } from "../../core/call/call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { ClientFacts, Era } from "../../mcp/eras.ts";
import type { IncomingRequest } from "../../mcp/incoming-request.ts";
import { metaKeys, RpcError, rpcCodes } from "../../mcp/messages.ts";
import type { Connection } from "./connection.ts";
import type { McpTransport } from "./server-parts.ts";

export interface Exchange {
  readonly era: Era;
  readonly request: IncomingRequest;
  readonly client: ClientFacts;
  readonly connection: Connection;
  readonly transport: McpTransport;
}

export const serverName = "toolgate";

/** Of whom questions and subscriptions are. */
export function callerIdOf({ caller }: { readonly caller?: Caller | undefined }): string {
  return caller?.id ?? "local";
}

/** As it stands in records: what a client calls itself is its own claim. */
export function clientName({ clientInfo }: ClientFacts): string {
  const name = clientInfo?.name;
  return typeof name === "string" && name !== "" ? name : "unknown";
}

export function textParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw wrongParams(`"${name}" must be a text.`);
  return value;
}

export function optionalText(params: JsonObject, name: string): string | undefined {
  return params[name] === undefined ? undefined : textParam(params, name);
}

export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (value === undefined) return noFields;
  if (!isJsonObject(value)) throw wrongParams(`"${name}" must be an object.`);
  return value;
}

export function wrongParams(message: string, data?: Json): RpcError {
  return new RpcError(rpcCodes.invalidParams, message, data);
}

const noFields: JsonObject = Object.freeze({});

export interface Stamps {
  /** Adds what every modern result has to say. */
  result(era: Era, result: JsonObject): JsonObject;
  /** For results that a modern client may keep for a while. */
  list(era: Era, result: JsonObject, ttlMs?: number): JsonObject;
  /** The beginning of a modern result as text, up to and with the comma before its own fields. */
  readonly modernHead: string;
}

/** Lists are told to have changed; this is for those who do not listen. */
export const listTtlMs = 5_000;

export function createStamps(serverInfo: JsonObject): Stamps {
  const meta = { [metaKeys.serverInfo]: serverInfo };
  const result: Stamps["result"] = (era, given) => {
    if (era === "legacy") return given;
    const own = isJsonObject(given._meta) ? given._meta : undefined;
    return { resultType: "complete", ...given, _meta: { ...own, ...meta } };
  };
  return {
    result,
    list: (era, given, ttlMs = listTtlMs) =>
      era === "legacy" ? given : result(era, { ...given, ttlMs, cacheScope: "private" }),
    modernHead: `{"resultType":"complete","_meta":${JSON.stringify(meta)},`,
  };
}
