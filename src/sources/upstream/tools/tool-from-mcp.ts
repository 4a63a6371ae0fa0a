/** Makes a tool of the gate from the definition of an MCP server: promises are hints, data is checked. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { Permission } from "../../../core/tool/permission.ts";
import type { JsonSchema } from "../../../core/tool/schema.ts";
import type { AnyTool, ToolAnnotations, ToolContext } from "../../../core/tool/tool.ts";

export interface McpToolOptions {
  readonly server: string;
  /** Its name in the gate. */
  readonly id: string;
  readonly definition: JsonObject;
  readonly permission: Permission;
  /** Of one call, at the connection. */
  readonly timeoutMs: number;
  run(args: JsonObject, context: ToolContext): unknown;
}

export type MadeTool =
  | { readonly ok: true; readonly tool: AnyTool }
  | { readonly ok: false; readonly message: string };

/** Whether its schemas can be used is found out when it is registered. */
export function toolFromMcp(options: McpToolOptions): MadeTool {
  const { server, id, definition, permission, timeoutMs, run } = options;
  const input = schemaOf(definition.inputSchema ?? anyObject);
  if (input === undefined) return bad("its input schema is not an object.");
  if (input.type !== undefined && input.type !== "object")
    return bad('its input schema must have the type "object": the arguments of a call are one.');
  const output = definition.outputSchema === undefined ? undefined : schemaOf(definition.outputSchema);
  if (definition.outputSchema !== undefined && output === undefined)
    return bad("its output schema is not an object.");
  const title = titleOf(definition);
  const annotations = annotationsOf(definition.annotations);
  return {
    ok: true,
    tool: {
      id,
      ...(title !== undefined && { title }),
      description: textOr(definition.description, title ?? `A tool of the MCP server ${server}.`),
      category: "mcp",
      permission,
      // A token for files of this machine does not open somebody else's server.
      capabilities: [`mcp:${server}`],
      ...(annotations && { annotations }),
      // The connection says more about why it took too long; this is for when even that hangs.
      timeoutMs: timeoutMs + 5_000,
      // The server orders its own calls: one that writes there has nothing to do with the files here.
      lock: "none",
      input: input as JsonSchema,
      ...(output && { output: output as JsonSchema }),
      run,
    },
  };
}

/** `trusted`: the configuration believes what the server says about its tools. */
export function permissionOf(definition: JsonObject, trusted: boolean): Permission {
  const { readOnlyHint, destructiveHint } = annotationsOf(definition.annotations) ?? {};
  if (!trusted) return "execute";
  if (readOnlyHint === true) return "read";
  return destructiveHint === false ? "write" : "execute";
}

function schemaOf(schema: Json): JsonObject | undefined {
  return isJsonObject(schema) ? schema : undefined;
}

const anyObject: JsonObject = { type: "object" };

function bad(message: string): MadeTool {
  return { ok: false, message };
}

/** Since 2025-06-18 a tool has a title of its own; before, it stood among the annotations. */
function titleOf({ title, annotations }: JsonObject): string | undefined {
  const older = annotations !== undefined && isJsonObject(annotations) ? annotations.title : undefined;
  const found = title ?? older;
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
}

function textOr(text: Json | undefined, otherwise: string): string {
  return typeof text === "string" && text.trim() !== "" ? text : otherwise;
}

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function annotationsOf(annotations: Json | undefined): ToolAnnotations | undefined {
  if (annotations === undefined || !isJsonObject(annotations)) return undefined;
  const said = hints.filter((hint) => typeof annotations[hint] === "boolean");
  return said.length === 0
    ? undefined
    : Object.fromEntries(said.map((hint) => [hint, annotations[hint] as boolean]));
}
