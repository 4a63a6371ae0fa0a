/** The tools of a gate as model APIs and MCP want to hear of them. */
import { ToolgateError } from "../../core/call/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import { type KnownIds, schemaWithWireNames, withWireNames } from "../../core/tool/wire-names.ts";
import type { DefinitionOf, ModelFormat, ObjectSchema } from "./formats.ts";
import { plainObjectSchema } from "./plain-object-schema.ts";

export function toDefinitions<Format extends ModelFormat>(
  callable: readonly RegisteredTool[],
  format: Format,
): DefinitionOf<Format>[] {
  const write = writers[format];
  if (!Object.hasOwn(writers, format))
    throw new ToolgateError(
      `definitions takes one of ${Object.keys(writers).join(", ")}, not ${JSON.stringify(format)}.`,
    );
  const known = new Set(callable.map(({ id }) => id));
  return callable.map((registered) => write(registered, known));
}

type Writers = {
  readonly [Format in ModelFormat]: (tool: RegisteredTool, known: KnownIds) => DefinitionOf<Format>;
};

const writers: Writers = {
  anthropic: (tool, known) => {
    const { name, description, inputSchema } = told(tool, known);
    return { name, description, input_schema: plainObjectSchema(inputSchema) };
  },
  openai: (tool, known) => {
    const { name, description, inputSchema } = told(tool, known);
    return { type: "function", function: { name, description, parameters: plainObjectSchema(inputSchema) } };
  },
  "openai-responses": (tool, known) => {
    const { name, description, inputSchema } = told(tool, known);
    // Strict mode knows only a part of JSON Schema, and the gate checks the input anyway.
    return { type: "function", name, description, parameters: plainObjectSchema(inputSchema), strict: false };
  },
  gemini: (tool, known) => {
    const { name, description, inputSchema } = told(tool, known);
    return { name: geminiName(name), description, parametersJsonSchema: plainObjectSchema(inputSchema) };
  },
  mcp: (tool, known) => {
    const { annotations } = tool.tool;
    const { outputSchema } = tool;
    const structured = isJsonObject(outputSchema) && outputSchema.type === "object";
    return {
      ...mcpDefinition(tool, known),
      ...(structured && { outputSchema: outputSchema as unknown as ObjectSchema }),
      ...(annotations && { annotations: { ...annotations } }),
    };
  },
};

/** What every MCP client is told, of either era. */
export function mcpDefinition(registered: RegisteredTool, known: KnownIds) {
  const { title } = registered.tool;
  const { name, description, inputSchema } = told(registered, known);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: inputSchema as unknown as ObjectSchema,
  };
}

/** Gemini wants a letter or an underscore first. */
function geminiName(name: string): string {
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** The gate's name of a tool that a model called. */
export function nameBack(name: string, tools: { has(name: string): boolean }): string {
  const without = name.slice(1);
  const isMarked = !tools.has(name) && tools.has(without) && geminiName(without) === name;
  return isMarked ? without : name;
}

function told({ wireName, tool, source, inputSchema }: RegisteredTool, known: KnownIds) {
  const schema = withType(inputSchema);
  // Others write about tools of their own.
  const isOwn = source.kind === "builtin";
  return {
    name: wireName,
    description: isOwn ? withWireNames(tool.description, known) : tool.description,
    inputSchema: isOwn ? schemaWithWireNames(schema, known) : schema,
  };
}

/** Clients insist on an object with its type written out. */
function withType(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return { type: "object" };
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}
