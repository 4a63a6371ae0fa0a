/** The header fields of a modern request over HTTP, which repeat what the body says, so that whoever stands between can route it. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { metaOf } from "../../../mcp/eras.ts";
import { metaKeys } from "../../../mcp/messages.ts";
import type { WireRequest } from "./wire.ts";

const nameFields: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** None for a legacy request. */
export function modernHeaders({ method, params = {} }: WireRequest): Record<string, string> {
  const version = metaOf(params)?.[metaKeys.protocolVersion];
  if (typeof version !== "string") return {};
  const field = Object.hasOwn(nameFields, method) ? nameFields[method] : undefined;
  const name = field === undefined ? undefined : params[field];
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": headerText(name) }),
  };
}

/** An argument that the tool's schema wants as a header field (`x-mcp-header`). */
export interface HeaderArgument {
  readonly path: readonly string[];
  readonly header: string;
}

export function headerArguments(inputSchema: unknown): HeaderArgument[] {
  const found: HeaderArgument[] = [];
  visit(inputSchema, [], found);
  return found;
}

export function argumentHeaders(
  wanted: readonly HeaderArgument[],
  args: JsonObject,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const { path, header } of wanted) {
    let value: unknown = args;
    for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value))
      headers[`mcp-param-${header.toLowerCase()}`] = headerText(String(value));
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

const maxDepth = 16;
const maxHeaders = 32;

/** Only what is reached by `properties` alone may be a header. */
function visit(schema: unknown, path: readonly string[], found: HeaderArgument[]): void {
  if (!isJsonObject(schema) || path.length > maxDepth || found.length >= maxHeaders) return;
  const header = schema["x-mcp-header"];
  if (path.length > 0 && typeof header === "string" && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(header))
    found.push({ path, header });
  if (!isJsonObject(schema.properties)) return;
  for (const [key, child] of Object.entries(schema.properties)) visit(child, [...path, key], found);
}

/** What a header field cannot hold as it is goes as base64, marked as such. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  const looksMarked = text.startsWith("=?base64?") && text.endsWith("?=");
  return isPlain && !looksMarked ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
