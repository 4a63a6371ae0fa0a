/** Makes a tool of a definition in a plugin file, or says which of its fields keeps it from being one. */
import { isWithin, permissions } from "../../core/tool/permission.ts";
import { type AnyTool, explainBadTool } from "../../core/tool/tool.ts";
import { explainBadToolId } from "../../core/tool/tool-name.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import { compileSchema } from "../../safe/schema/standard-schema.ts";
import { prepareFileRead } from "./handlers/file-read.ts";
import { prepareHttp } from "./handlers/http.ts";
import {
  type HandlerInput,
  type HandlerPlace,
  isPrepared,
  type Prepared,
  type PreparedHandler,
} from "./handlers/prepared-handler.ts";
import { retrying } from "./handlers/retrying.ts";
import { prepareShell } from "./handlers/shell.ts";
import type { PluginToolDefinition } from "./plugin-format.ts";

export interface ToolProblem {
  readonly path: Path;
  readonly message: string;
}

export type MadeTool =
  | { readonly ok: true; readonly tool: AnyTool }
  | { readonly ok: false; readonly problems: readonly ToolProblem[] };

export function toolFromPlugin(definition: PluginToolDefinition, place: HandlerPlace): MadeTool {
  // A dash would make it an option on command lines, and names such as __proto__ are nobody's.
  if (explainBadToolId(definition.name) !== undefined)
    return refuse({ path: ["name"], message: "A tool's name starts with a letter or a digit." });
  const schema = takeSchema(definition.inputSchema);
  if (typeof schema === "string") return refuse({ path: ["inputSchema"], message: schema });
  const prepared = prepare({ ...definition, inputSchema: schema }, place);
  if (!isPrepared(prepared))
    return refuse(
      ...prepared.map(({ field, message }) => ({ path: ["handler", ...stepsOf(field)], message })),
    );
  const problems = explainClaims(definition, prepared);
  if (problems.length > 0) return refuse(...problems);
  const tool = toTool(definition, schema, prepared, place);
  const bad = explainBadTool(tool);
  return bad === undefined ? { ok: true, tool } : refuse({ path: [], message: bad });
}

/** Input is an object: a schema that does not say so is completed, one that says otherwise is refused. */
function takeSchema(
  written: PluginToolDefinition["inputSchema"],
): PluginToolDefinition["inputSchema"] | string {
  if (written.type !== undefined && written.type !== "object")
    return 'The input of a tool is an object: its type must be "object".';
  const schema = { ...written, type: "object" } as PluginToolDefinition["inputSchema"];
  const compiled = compileSchema(schema);
  return compiled.ok ? schema : `It cannot be used: ${compiled.message}`;
}

function prepare({ handler, inputSchema }: PluginToolDefinition, place: HandlerPlace): Prepared {
  switch (handler.type) {
    case "shell":
      return prepareShell(handler, inputSchema, place);
    case "http":
      return prepareHttp(handler, inputSchema, place);
    case "file-read":
      return prepareFileRead(handler, inputSchema, place);
  }
}

/** What a file says about its tool may make the gate stricter, never laxer. */
function explainClaims(
  { permission, timeoutMs, maxRetries = 0, idempotent, handler }: PluginToolDefinition,
  prepared: PreparedHandler,
): ToolProblem[] {
  const problems: ToolProblem[] = [];
  if (permission !== undefined && !isWithin(prepared.permission, permission)) {
    const message = `"${permission}" is less than what this ${handler.type} handler does, which is "${prepared.permission}".`;
    problems.push({ path: ["permission"], message });
  }
  if (maxRetries > 0 && idempotent !== true)
    problems.push({
      path: ["maxRetries"],
      message: "Only tools that may safely run twice are retried: say idempotent: true, or take it away.",
    });
  if (timeoutMs !== undefined && timeoutMs < 1)
    problems.push({ path: ["timeoutMs"], message: "must be 1 or more." });
  return problems;
}

function toTool(
  definition: PluginToolDefinition,
  schema: PluginToolDefinition["inputSchema"],
  prepared: PreparedHandler,
  place: HandlerPlace,
): AnyTool {
  const { name, handler, inputSchema: _schema, tests: _tests, timeoutMs, ...said } = definition;
  const { category = defaultCategory, capabilities = [], permission, maxRetries = 0 } = said;
  const { validate, derive } = prepared;
  const { run } = maxRetries > 0 ? retrying(prepared) : prepared;
  return {
    ...said,
    id: name,
    category,
    permission: highest(permission, prepared.permission, place.trusted ? undefined : "write"),
    capabilities: [...new Set([...prepared.capabilities, ...capabilities])],
    roles: prepared.roles,
    // The handler ends by itself and gives what there is. The gate's own limit is for one that does not.
    timeoutMs: timeoutMs ?? prepared.timeoutMs + graceMs,
    input: schema as AnyTool["input"],
    ...(validate !== undefined && { validate: (args: HandlerInput) => validate(args) }),
    ...(derive !== undefined && { derive: (args: HandlerInput) => derive(args) }),
    ...(handler.type === "shell" && {
      hidesSecrets: () => place.sandbox?.().mode === "required",
    }),
    run: (args, context) => run(args as HandlerInput, context),
  };
}

const graceMs = 5_000;

export const defaultCategory = "custom";

function highest(...wanted: readonly (AnyTool["permission"] | undefined)[]): AnyTool["permission"] {
  return permissions.findLast((one) => wanted.includes(one)) ?? "execute";
}

/** `headers.X-Key` has two steps, whatever the header is called. */
function stepsOf(field: string): string[] {
  if (field === "") return [];
  const dot = field.indexOf(".");
  return dot === -1 ? [field] : [field.slice(0, dot), field.slice(dot + 1)];
}

function refuse(...problems: ToolProblem[]): MadeTool {
  return { ok: false, problems };
}
