/** The words of the protocol that both sides share: messages, error codes, names of methods. */
import { isJsonObject, type Json } from "../core/input/json.ts";

export type RequestId = string | number;

/** A message from outside: what is in it is looked at by whoever takes it. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly id?: Json;
  readonly method?: Json;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
}

export function saysRpc(value: unknown): value is RpcMessage {
  return isJsonObject(value) && value.jsonrpc === "2.0";
}

/** Its outside is right: a method, or the answer to a request. */
export function isMessage(value: unknown): value is RpcMessage & { readonly method?: string } {
  if (!saysRpc(value)) return false;
  const { method } = value;
  return typeof method === "string" || (method === undefined && ("result" in value || "error" in value));
}

export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Modern: a header and the body name different things. */
  headerMismatch: -32_020,
  /** Modern: the client did not declare what this request needs. */
  missingCapability: -32_021,
  /** Modern: `data` is `{supported, requested}`. */
  unsupportedVersion: -32_022,
} as const;

/** An error of the protocol, not of a tool: goes over the wire as such. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What is wrong, as it goes over the wire. */
export type RpcProblem = Pick<RpcError, "code" | "message"> & Partial<Pick<RpcError, "data">>;

/** The answer that says so; null when it is not known to which request. */
export function errorJson(id: RequestId | null, { code, message, data }: RpcProblem): string {
  const error = { code, message, ...(data !== undefined && { data }) };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

/** A result that is JSON already: serialised once, by whoever made it. */
export class RawResult {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Of ids and progress tokens: they are repeated in every message about their request. */
export const maxIdCharacters = 256;

export const whatIdsAre = `A request's id is a number, or a text of at most ${maxIdCharacters} characters.`;

export function isRequestId(value: unknown): value is RequestId {
  if (typeof value === "string") return value.length <= maxIdCharacters;
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * Sends one message, as JSON without a line feed. `about`: the request of the other side that the message
 * belongs to. `isAnswer`: the message ends that request. `errorCode`: the end is an error.
 */
export type Send = (
  json: string,
  about: RequestId | undefined,
  isAnswer: boolean,
  errorCode?: number,
) => void;
