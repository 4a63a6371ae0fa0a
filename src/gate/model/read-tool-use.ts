/** One tool use of a model's turn, read from the form of its API. Nothing that a model wrote throws here. */
import { isRecord } from "../../core/input/json.ts";
import { parseJson } from "../../safe/schema/json-guard.ts";

export interface ToolUse {
  readonly form: "anthropic" | "openai" | "openai-responses" | "gemini" | "mcp";
  /** The API's own id of it; empty where it has none. */
  readonly id: string;
  readonly name: string;
  /** What the model wrote, parsed where it is JSON. */
  readonly input: unknown;
  /** Why it could not be parsed. */
  readonly problem?: string;
}

/** Undefined: a text, a thought, or a tool that the provider runs itself. */
export function readToolUse(use: unknown): ToolUse | undefined {
  if (!isRecord(use)) return undefined;
  const { type } = use;
  if (type === "tool_use") return made("anthropic", use.id, use.name, use.input);
  if (type === "function_call") return made("openai-responses", use.call_id, use.name, use.arguments);
  if (isRecord(use.function)) return made("openai", use.id, use.function.name, use.function.arguments);
  // Nobody offered one, and every call of this API must be answered.
  if (isRecord(use.custom)) return made("openai", use.id, use.custom.name, use.custom.input);
  if (isRecord(use.functionCall)) return fromGemini(use.functionCall);
  if (type !== undefined) return undefined;
  if (use.method === "tools/call" && isRecord(use.params))
    return made("mcp", use.id, use.params.name, use.params.arguments);
  if (typeof use.name !== "string") return undefined;
  return "arguments" in use ? made("mcp", undefined, use.name, use.arguments) : fromGemini(use);
}

function fromGemini({ id, name, args }: Readonly<Record<string, unknown>>): ToolUse {
  return made("gemini", id, name, args);
}

function made(form: ToolUse["form"], id: unknown, name: unknown, given: unknown): ToolUse {
  const use = { form, id: idOf(id), name: typeof name === "string" ? name : "" };
  if (typeof given !== "string") return { ...use, input: given };
  // A tool without arguments: some models write nothing at all.
  if (given.trim() === "") return { ...use, input: {} };
  const parsed = parseJson(given);
  if (parsed.ok) return { ...use, input: parsed.value };
  const where = parsed.path === "$" ? "" : ` at ${parsed.path}`;
  return { ...use, input: given, problem: `The arguments cannot be read${where}: ${parsed.message}.` };
}

function idOf(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}
