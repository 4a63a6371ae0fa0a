/** What a request over HTTP repeats of its body in headers, so that proxies can decide by them. */
import { isJsonObject } from "../core/input/json.ts";

/** Methods whose requests name their object in the header Mcp-Name, by the field that holds the name. */
export const namedBy: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** An argument that a tool's schema wants repeated in the header Mcp-Param-... (`x-mcp-header`). */
export interface HeaderArgument {
  readonly header: string;
  readonly path: readonly string[];
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const maxDepth = 16;

/** Only what is reached by `properties` alone may be a header. */
export function headerArguments(schema: unknown, path: readonly string[] = []): HeaderArgument[] {
  if (!isJsonObject(schema) || path.length > maxDepth) return [];
  const { "x-mcp-header": header, properties } = schema;
  const own = typeof header === "string" && token.test(header) && path.length > 0 ? [{ header, path }] : [];
  if (!isJsonObject(properties)) return own;
  const inner = Object.entries(properties).flatMap(([key, child]) => headerArguments(child, [...path, key]));
  return [...own, ...inner];
}

export function argumentAt(input: unknown, { path }: HeaderArgument): unknown {
  let value = input;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** What a header cannot hold as it is goes as base64, marked as such: `=?base64?...?=`. */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  const looksMarked = text.startsWith("=?base64?") && text.endsWith("?=");
  return isPlain && !looksMarked ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** Undefined: what stands there is not the base64 of a text. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith("=?base64?") || !value.endsWith("?=")) return value;
  const encoded = value.slice("=?base64?".length, -"?=".length);
  if (!base64.test(encoded)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(encoded, "base64"));
  } catch {
    return undefined;
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
