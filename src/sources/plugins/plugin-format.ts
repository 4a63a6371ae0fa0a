/** The format of a plugin file. Editors get it as `schemas/plugin.schema.json`. */
import type { JsonObject } from "../../core/input/json.ts";
import { durationPattern } from "../../core/text/duration.ts";
import { type Permission, permissions } from "../../core/tool/permission.ts";
import type { ToolAnnotations } from "../../core/tool/tool.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";
import type { FileReadHandler, HttpHandler, ShellHandler } from "./handlers/handler-shapes.ts";

export interface PluginFile {
  readonly name: string;
  readonly version?: string;
  /** Counts only in a trusted place. */
  readonly allowPrivate?: boolean;
  /** Names of the variables that headers may hold. */
  readonly env?: readonly string[];
  readonly tools: readonly PluginToolDefinition[];
}

export interface PluginToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly handler: PluginHandler;
  readonly category?: string;
  /** More than the handler needs, never less. */
  readonly permission?: Permission;
  /** Besides those that the handler needs. */
  readonly capabilities?: readonly string[];
  readonly timeoutMs?: number;
  readonly idempotent?: boolean;
  readonly maxRetries?: number;
  /** Default: its session. */
  readonly lock?: (typeof pluginLocks)[number];
  readonly annotations?: ToolAnnotations;
  readonly tests?: readonly PluginToolTest[];
}

export type PluginHandler = ShellHandler | HttpHandler | FileReadHandler;

/** One of `expect`, `contains` and `error`, or `expect` and `contains` of which both must hold. */
export interface PluginToolTest {
  readonly desc?: string;
  readonly input: JsonObject;
  /** The whole answer; a line break at its end does not count. */
  readonly expect?: string;
  /** A part of the answer. */
  readonly contains?: string;
  /** The call must not succeed, and its message holds this. */
  readonly error?: string;
}

const pluginLocks = ["session", "gate", "none"] as const;

/** As model APIs and MCP clients take them: no dots. */
export const pluginToolName = /^[a-zA-Z0-9_-]+$/;

const ref = (name: string): SchemaPart => ({ $ref: `#/$defs/${name}` });
const text = (description: string, more: SchemaPart = {}): SchemaPart => ({
  type: "string",
  minLength: 1,
  description,
  ...more,
});
const whole = (minimum: number, description: string, more: SchemaPart = {}): SchemaPart => ({
  type: "integer",
  minimum,
  description,
  ...more,
});
const duration = (description: string, more: SchemaPart = {}): SchemaPart => ({
  type: ["integer", "string"],
  minimum: 1,
  pattern: durationPattern,
  description: `${description} A duration (500ms, 90s, 5m), or a whole number of milliseconds.`,
  ...more,
});
const flag = (description: string): SchemaPart => ({ type: "boolean", description });
const texts = (description: string): SchemaPart => ({ type: "array", description, items: text("One.") });
const closed = (
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, SchemaPart>>,
): SchemaPart => ({ type: "object", description, properties, required, additionalProperties: false });
/** As it stands in a header. */
const variable = "$" + "{NAME}";
const tag = (value: string): SchemaPart => ({ enum: [value], description: "Which kind of handler." });

const shell = closed("Runs a command.", ["type", "command"], {
  type: tag("shell"),
  command: text(
    "A command line for sh. {{name}} stands for an argument, always as one word and never as code: 'grep -rn {{pattern}} {{directory}} || true'.",
  ),
  timeout: duration("How long the command and all it started may run.", { default: "30s" }),
  cwd: text("Where it runs: relative to this file, absolute or below ~/. By default where the call happens."),
  allowDash: {
    description: "Arguments that may start with a dash: all of them (true), or those named.",
    oneOf: [{ type: "boolean" }, texts("Their names.")],
  },
});

const http = closed("Sends an HTTP request.", ["type", "url"], {
  type: tag("http"),
  url: text(
    "{{name}} in path and query is encoded; at the very start it must be a whole http(s) URL: '{{url}}/health'. Other arguments become the JSON body, or the query of GET and HEAD.",
  ),
  method: text("The HTTP method.", {
    default: "POST",
    examples: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  }),
  headers: {
    type: "object",
    description: `Values may hold ${variable} of the variables that "env" of this file names.`,
    additionalProperties: { type: "string" },
  },
  timeout: duration("How long everything together may take.", { default: "10s" }),
  maxBytes: whole(1, "At most so much of the answer.", { default: 1024 * 1024 }),
});

const fileRead = closed("Reads a file of a folder.", ["type", "basePath"], {
  type: tag("file-read"),
  basePath: text(
    "The only folder it reads from: relative to this file, absolute or below ~/. The argument `path` names the file in it.",
  ),
  maxSize: whole(1, "At most so many bytes.", { default: 1024 * 1024 }),
});

const test = closed("A call, and what must come of it.", ["input"], {
  desc: text("What it shows."),
  input: { type: "object", description: "The call's input.", additionalProperties: true },
  expect: {
    type: "string",
    description: "The whole text of the answer; a line break at its end does not count.",
  },
  contains: text("Text that the answer holds."),
  error: text("The call must not succeed, and its message holds this text."),
});

const tool = closed("A tool.", ["name", "description", "inputSchema", "handler"], {
  name: text("What models call it: letters, digits, _ and -.", {
    maxLength: 64,
    pattern: pluginToolName.source,
  }),
  title: text("What people read."),
  description: text("What it does and when to use it. It is how a model chooses the tool."),
  inputSchema: {
    type: "object",
    description: "JSON Schema (2020-12 or draft-07) of the input, which is an object.",
    additionalProperties: true,
  },
  handler: {
    description: "What a call does.",
    oneOf: [ref("shell"), ref("http"), ref("file-read")],
  },
  category: text("Switched on and off together.", { default: "custom" }),
  permission: {
    enum: permissions,
    description:
      "At least what the handler does: execute for shell, read for file-read and for GET and HEAD, else write.",
  },
  capabilities: texts("What a caller needs besides what the handler needs."),
  timeoutMs: duration("How long a call may take, whatever its handler is waiting for."),
  idempotent: flag("May run twice without doing harm."),
  maxRetries: whole(0, "Only for idempotent tools."),
  lock: {
    enum: pluginLocks,
    description:
      "Which other calls it waits for: those of its session (what reads runs beside readers, else alone), all of the gate, or none.",
    default: "session",
  },
  annotations: closed("Hints for clients; they never raise trust.", [], {
    readOnlyHint: flag("It changes nothing."),
    destructiveHint: flag("It may destroy something."),
    idempotentHint: flag("Twice is the same as once."),
    openWorldHint: flag("It reaches beyond this machine."),
  }),
  tests: {
    type: "array",
    description: "Calls that `toolgate test` really makes, and what must come of them.",
    items: ref("test"),
  },
});

export const pluginSchema: SchemaPart = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:toolgate:schema:plugin:1",
  title: "toolgate plugin",
  ...closed("Tools without code (*.json, *.yaml in a folder of plugins).", ["name", "tools"], {
    $schema: { type: "string", description: "For editors; not read." },
    name: text("The plugin's name, shown with each of its tools.", { maxLength: 100 }),
    version: text("The plugin's version; only shown."),
    description: text("What the plugin is for; not read."),
    allowPrivate: flag(
      "Its HTTP tools may reach private addresses, this machine included. Counts only in a trusted place.",
    ),
    env: texts(`Variables of the environment that headers may hold as ${variable}.`),
    tools: { type: "array", description: "The tools.", items: ref("tool") },
  }),
  $defs: { tool, test, shell, http, "file-read": fileRead },
};
