/** Arguments that a tool wants repeated in headers (`x-mcp-header`): what a proxy decided by must be what the tool is given. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { Gate } from "../../../gate/gate.ts";
import { calledTool } from "./called-tool.ts";
import { decodeHeaderValue, mismatch } from "./check-headers.ts";

/** Of a message that calls a tool, for clients of both eras: the older ones need not send them, but what they send counts. */
export function checkCallHeaders(
  { method, params }: { readonly method: string; readonly params?: unknown },
  header: (name: string) => string | undefined,
  tools: Gate["tools"],
  { mayBeMissing }: { readonly mayBeMissing: boolean },
): void {
  if (method !== "tools/call" || !isJsonObject(params) || typeof params.name !== "string") return;
  const called = calledTool(params.name, params.arguments, tools);
  const schema = called?.registered.inputSchema;
  if (typeof schema !== "object") return;
  checkParamHeaders(schema, called?.input, header, {
    mayBeMissing: mayBeMissing || called?.isHandedOn === true,
  });
}

/** Throws the RpcError that says which of them does not fit. */
export function checkParamHeaders(
  schema: object,
  input: unknown,
  header: (name: string) => string | undefined,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): void {
  let declared = known.get(schema);
  if (declared === undefined) {
    declared = [];
    collect(schema, [], declared, 0);
    known.set(schema, declared);
  }
  for (const { name, path } of declared) {
    const value = valueAt(input, path);
    const expected = textOf(value);
    const given = header(`mcp-param-${name.toLowerCase()}`);
    const refuse = (what: string) => mismatch(what, given, { name: `Mcp-Param-${name}`, body: expected });
    const argument = path.join(".");
    if (given === undefined) {
      if (expected === undefined || mayBeMissing) continue;
      throw refuse(`the argument ${argument} is given, the header Mcp-Param-${name} is missing`);
    }
    // The tool would take its own default, which no proxy has seen.
    if (expected === undefined)
      throw refuse(
        `the header Mcp-Param-${name} is given, the argument ${argument} is missing or no plain value`,
      );
    const decoded = decodeHeaderValue(given);
    const isSame =
      decoded === expected ||
      (typeof value === "number" && decimal.test(decoded ?? "") && Number(decoded) === value);
    if (!isSame) throw refuse(`the argument ${argument} is not what the header Mcp-Param-${name} says`);
  }
}

interface Declared {
  readonly name: string;
  readonly path: readonly string[];
}

/** A tool's definition is one object for as long as it is registered. */
const known = new WeakMap<object, Declared[]>();

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const decimal = /^-?\d+(?:\.\d+)?$/;
const maxDepth = 16;

function collect(schema: unknown, path: readonly string[], found: Declared[], depth: number): void {
  if (typeof schema !== "object" || schema === null || depth > maxDepth) return;
  const { "x-mcp-header": name, properties } = schema as JsonObject;
  if (typeof name === "string" && token.test(name) && path.length > 0) found.push({ name, path });
  if (typeof properties !== "object" || properties === null) return;
  for (const [key, inner] of Object.entries(properties)) collect(inner, [...path, key], found, depth + 1);
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, Json>)[key];
  }
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "boolean" || typeof value === "number" ? String(value) : undefined;
}
