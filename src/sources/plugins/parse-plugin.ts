/** Turns the text of a plugin file into definitions with their places. A wrong tool keeps the others. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { visible } from "../../core/text/visible.ts";
import { maxToolNameLength } from "../../core/tool/tool-name.ts";
import { checkShape, type ShapeProblem, type ShapeWords } from "../../safe/files/documents/check-shape.ts";
import { readJson } from "../../safe/files/documents/read-json.ts";
import { type Path, type Place, readYaml } from "../../safe/files/documents/read-yaml.ts";
import { describe, showPath } from "../../safe/files/documents/shape-words.ts";
import type { PluginError } from "./plugin-error.ts";
import { type PluginFile, type PluginToolDefinition, pluginSchema } from "./plugin-format.ts";

export interface ParsedPlugin {
  /** Without its tools. Undefined: the file as a whole cannot be used. */
  readonly head: Head | undefined;
  readonly tools: readonly WrittenTool[];
  readonly errors: readonly PluginError[];
  /** What is not read: keys that nobody knows, beside those that make the file. */
  readonly warnings: readonly PluginError[];
}

export interface WrittenTool {
  readonly definition: PluginToolDefinition;
  /** The definition, word for word. */
  readonly json: JsonObject;
  /** Within the tool; of a part that is not there, the nearest one around it. */
  readonly placeOf: (path: Path, part?: "key" | "value") => Place;
}

export function parsePlugin(text: string, file: string): ParsedPlugin {
  const isJson = /\.json$/i.test(file);
  const read = isJson ? readJson(text) : readYaml(text);
  if (!read.ok) return unusable([{ source: file, ...read.problem }]);
  const { value, placeOf } = read;
  if (value === null) return unusable([{ source: file, line: 1, column: 1, message: "The file is empty." }]);
  const misshapen = checkShape(value, headSchema, words);
  const found = misshapen.map((problem) => toError(problem, file, undefined, placeOf));
  if (!isPlugin(value, misshapen)) return unusable(found);
  const { tools, ...head } = value;
  const written: WrittenTool[] = [];
  const errors: PluginError[] = [];
  for (const [index, tool] of tools.entries()) {
    const here: WrittenTool["placeOf"] = (path, part) => placeOf(["tools", index, ...path], part);
    const problems = [...checkShape(tool, toolSchema, words), ...checkTests(tool)];
    if (isTool(tool, problems)) {
      written.push({ definition: inNumbers(tool), json: tool, placeOf: here });
      continue;
    }
    const name = nameOf(tool);
    errors.push(...problems.map((problem) => toError(problem, file, name ?? `#${index + 1}`, here)));
  }
  return { head, tools: written, errors, warnings: found };
}

const { properties = {}, $defs = {} } = pluginSchema;
/** The tools are looked at one by one, so that one of them does not spoil the file. */
const headSchema = { ...pluginSchema, properties: { ...properties, tools: { type: "array" as const } } };
const toolSchema = { ...$defs.tool, $defs };

/** A file may say more about itself than we read, for other programs or other versions. */
function isUnknownKey({ path, part }: ShapeProblem): boolean {
  return part === "key" && path.length === 1 && !Object.hasOwn(properties, String(path[0]));
}

type Head = Omit<PluginFile, "tools">;

/** Where an unknown key looks like one that is missing, only the unknown one is a problem of the shape. */
function isPlugin(
  value: Json,
  problems: readonly ShapeProblem[],
): value is JsonObject & Head & { readonly tools: readonly Json[] } {
  const hasRequired = isJsonObject(value) && pluginSchema.required?.every((key) => Object.hasOwn(value, key));
  return problems.every(isUnknownKey) && hasRequired === true;
}

function isTool(_tool: Json, problems: readonly ShapeProblem[]): _tool is JsonObject & PluginToolDefinition {
  return problems.length === 0;
}

/** Durations become milliseconds. */
function inNumbers(tool: PluginToolDefinition): PluginToolDefinition {
  const { handler, timeoutMs } = tool;
  const timed = "timeout" in handler ? { ...handler, timeout: numberOf(handler.timeout) } : handler;
  return { ...tool, handler: timed, ...(timeoutMs !== undefined && { timeoutMs: numberOf(timeoutMs) }) };
}

/** What has the right shape is a duration or a number already. */
function numberOf(written: number | string | undefined): number {
  return typeof written === "string" ? (parseDuration(written) ?? 0) : (written ?? 0);
}

const words: ShapeWords = {
  mismatch: (given) =>
    `${describe(given)} is not a tool's name: it may hold letters, digits, "_" and "-", and nothing else.`,
  emptyList: "is an empty list.",
};

function toError(
  { path, part, reason }: ShapeProblem,
  source: string,
  toolName: string | undefined,
  placeOf: WrittenTool["placeOf"],
): PluginError {
  return {
    source,
    ...(toolName !== undefined && { toolName }),
    ...(path.length > 0 && { field: showPath(path) }),
    ...placeOf(path, part),
    message: reason,
  };
}

/** A test that asks for nothing would pass whatever happens. */
function checkTests(tool: Json): ShapeProblem[] {
  const tests = isJsonObject(tool) && Array.isArray(tool.tests) ? (tool.tests as readonly Json[]) : [];
  return tests.flatMap((test, index) => {
    if (!isJsonObject(test)) return [];
    const asks = ["expect", "contains", "error"].filter((key) => Object.hasOwn(test, key));
    const reason =
      asks.length === 0
        ? "needs expect, contains or error: what must come of the call."
        : asks.includes("error") && asks.length > 1
          ? "asks for an answer and for an error; keep one."
          : undefined;
    if (reason === undefined) return [];
    return [{ path: ["tests", index], part: "value" as const, reason }];
  });
}

function nameOf(tool: Json): string | undefined {
  const name = isJsonObject(tool) && Object.hasOwn(tool, "name") ? tool.name : undefined;
  if (typeof name !== "string" || name === "") return undefined;
  return visible(name, { maxLength: maxToolNameLength });
}

function unusable(errors: readonly PluginError[]): ParsedPlugin {
  return { head: undefined, tools: [], errors, warnings: [] };
}
