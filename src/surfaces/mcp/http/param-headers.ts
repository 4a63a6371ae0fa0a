/** Arguments that a tool wants repeated in headers (`x-mcp-header`): proxy and tool must see the same. */
import { isJsonObject, type Json } from "../../../core/input/json.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import {
  argumentAt,
  decodeHeaderValue,
  type HeaderArgument,
  headerArguments,
} from "../../../mcp/request-headers.ts";
import { mismatch } from "./check-headers.ts";

/** As the caller sees them. */
type FindTool = (name: string) => RegisteredTool | undefined;

/** Of a message that calls a tool. Older clients need not send these headers, but what they send counts. */
export function checkCallHeaders(
  { method, params }: { readonly method: string; readonly params?: unknown },
  header: (name: string) => string | undefined,
  find: FindTool,
  { mayBeMissing }: { readonly mayBeMissing: boolean },
): void {
  if (method !== "tools/call" || !isJsonObject(params) || typeof params.name !== "string") return;
  const called = calledTool(params.name, params.arguments, find);
  const schema = called?.registered.inputSchema;
  if (called === undefined || typeof schema !== "object") return;
  checkParamHeaders(schema, called.input, header, { mayBeMissing: mayBeMissing || called.isHandedOn });
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
    declared = headerArguments(schema);
    known.set(schema, declared);
  }
  for (const one of declared) {
    const value = argumentAt(input, one);
    const expected = textOf(value);
    const name = `Mcp-Param-${one.header}`;
    const given = header(name.toLowerCase());
    const refuse = (what: string) => mismatch(what, given, { name, body: expected });
    const argument = one.path.join(".");
    if (given === undefined) {
      if (expected === undefined || mayBeMissing) continue;
      throw refuse(`the argument ${argument} is given, the header ${name} is missing`);
    }
    // The tool would take its own default, which no proxy has seen.
    if (expected === undefined)
      throw refuse(`the header ${name} is given, the argument ${argument} is missing or no plain value`);
    const decoded = decodeHeaderValue(given);
    const isSame =
      decoded === expected ||
      (typeof value === "number" && decimal.test(decoded ?? "") && Number(decoded) === value);
    if (!isSame) throw refuse(`the argument ${argument} is not what the header ${name} says`);
  }
}

/** A tool's definition is one object for as long as it is registered. */
const known = new WeakMap<object, readonly HeaderArgument[]>();

const decimal = /^-?\d+(?:\.\d+)?$/;

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "boolean" || typeof value === "number" ? String(value) : undefined;
}

interface CalledTool {
  readonly registered: RegisteredTool;
  readonly input: unknown;
  /** The client named another tool, and may not know this one's schema. */
  readonly isHandedOn: boolean;
}

/**
 * The tool that a call reaches in the end: a decision about `tools_call` is one about the tool behind it.
 * Undefined: there is no such tool, and the gate says so.
 */
function calledTool(name: string, input: unknown, find: FindTool): CalledTool | undefined {
  const registered = find(name);
  if (registered?.tool.delegate === undefined) return registered && { registered, input, isHandedOn: false };
  let target: { readonly tool: string; readonly input: unknown };
  try {
    target = registered.tool.delegate((input ?? {}) as Json);
  } catch {
    return undefined;
  }
  const reached = find(target.tool);
  return reached && { registered: reached, input: target.input, isHandedOn: true };
}
