/** mcp.call: becomes the call of the tool that it names before any rule sees it, so all its rules hold. */
import { failed } from "../../../core/call/tool-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { AnyTool } from "../../../core/tool/tool.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";
import { upstreamToolId } from "../../upstream/tools/naming.ts";
import { defineBuiltin } from "../define-builtin.ts";

/** What agents call the input of the tool that is to be called. */
export const argumentNames = ["args", "params", "parameters", "input"] as const;

const base = defineBuiltin("mcp.call", {
  title: "Call a tool",
  description:
    "Calls a tool of an MCP server, or any tool by the name that tools.search shows. It is the same as calling that tool itself: the same rules decide.",
  input: {
    type: "object",
    properties: {
      server: {
        type: "string",
        minLength: 1,
        description: "The server. Left out: `tool` is the full name, such as `github__get_issue`.",
      },
      tool: { type: "string", minLength: 1, description: "The tool's name." },
      arguments: { type: "object", description: "The tool's own input." },
    },
    required: ["tool"],
    additionalProperties: false,
  },
  synonyms: {
    server: ["server_name"],
    tool: ["tool_name", "name"],
    arguments: argumentNames,
  },
  adapt: ({ task_progress: _progress, ...input }) => {
    const parsed = typeof input.arguments === "string" ? parseJson(input.arguments) : undefined;
    if (parsed === undefined) return input;
    return parsed.ok
      ? { ...input, arguments: parsed.value }
      : `expected "arguments" to be JSON: ${parsed.message}`;
  },
  // What it does is what its target does: a client must not take it for harmless.
  annotations: { readOnlyHint: false, openWorldHint: true },
  lock: "none",
  // Never reached through a gate: a call is handed on before it could run.
  run: () => failed("mcp.call only hands calls on; it does nothing by itself."),
});

export const call: AnyTool = Object.freeze({ ...base, delegate: targetOf });

/** Throws when it is not clear which tool is meant: what is not certain must not be called. */
export function targetOf(input: Json): { readonly tool: string; readonly input: Json } {
  if (!isJsonObject(input)) throw new TypeError("The input must be an object.");
  const unknown = Object.keys(input).find((name) => !allNames.has(name));
  if (unknown !== undefined) throw new TypeError(`There is no field ${JSON.stringify(unknown)}.`);
  const server = textOf(input, "server");
  const tool = textOf(input, "tool");
  if (tool === undefined) throw new TypeError("`tool` must name the tool.");
  return {
    tool: server === undefined ? tool : upstreamToolId(server, tool),
    input: argumentsOf(given(input, "arguments")),
  };
}

const names = {
  server: ["server", "server_name"],
  tool: ["tool", "tool_name", "name"],
  arguments: ["arguments", ...argumentNames],
} as const;

const allNames = new Set<string>([...Object.values(names).flat(), "task_progress"]);

function given(input: JsonObject, field: keyof typeof names): Json | undefined {
  const present = names[field].filter((name) => Object.hasOwn(input, name) && input[name] !== null);
  const [first, ...others] = present.map((name) => input[name]);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new TypeError(`${present.join(" and ")} say different things.`);
  return first;
}

function textOf(input: JsonObject, field: "server" | "tool"): string | undefined {
  const value = given(input, field);
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") throw new TypeError(`\`${field}\` must be a name.`);
  return value;
}

/** Some agents write the arguments as JSON text. */
function argumentsOf(value: Json | undefined): JsonObject {
  if (value === undefined || value === "") return {};
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (parsed?.ok === false) throw new TypeError(`\`arguments\`: ${parsed.message}`);
  const taken = parsed === undefined ? value : parsed.value;
  if (!isJsonObject(taken)) throw new TypeError("`arguments` must be an object.");
  return taken;
}
