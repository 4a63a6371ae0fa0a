/** Makes a built-in tool: its names come from the list of known tools, its file adds input and work. */
import { ToolgateError } from "../../core/call/errors.ts";
import { roleNames } from "../../core/input/input-roles.ts";
import type { InputShape } from "../../core/input/input-shapes.ts";
import type { JsonObject } from "../../core/input/json.ts";
import { findKnownTool, type KnownTool } from "../../core/tool/known-tools.ts";
import type { InferInput, InferOutput } from "../../core/tool/schema.ts";
import {
  type AnyTool,
  type DerivedValues,
  defineTool,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
} from "../../core/tool/tool.ts";
import { type InputSchema, type Synonyms, schemaWithSynonyms } from "./schema-with-synonyms.ts";

export interface BuiltinDefinition<In extends InputSchema, Returned>
  extends Pick<
    AnyTool,
    | "timeoutMs"
    | "idempotent"
    | "maxRetries"
    | "maxOutputBytes"
    | "lock"
    | "annotations"
    | "onPartial"
    | "hidesSecrets"
  > {
  readonly title: string;
  readonly description: string;
  /** A literal JSON Schema of an object: what models are shown. Unknown fields are always refused. */
  readonly input: In;
  /** Names that other agents give to a field: `{ path: pathSynonyms }`. Models are not shown them. */
  readonly synonyms?: Synonyms<In>;
  /** For aliases that mean something else by a field: turned into this tool's input before any rule looks. */
  readonly shapes?: Readonly<Record<string, InputShape>>;
  /** Brings other shapes into that of `input`, before validation. A text says what is wrong instead. */
  adapt?(input: JsonObject): JsonObject | string;
  /** Checks that a schema cannot say. A text is the objection; it is shown to the model. */
  validate?(args: InferOutput<In>, context: ToolContext): string | undefined | Promise<string | undefined>;
  /** What a call does that no field says by itself; see `Tool`. */
  derive?(args: InferOutput<In>): DerivedValues | undefined;
  /** Returns text, data, or a `toolResult`; failures are `failed(...)` or thrown. */
  run(args: InferOutput<In>, context: ToolContext): Returned;
}

/** Tools that share something. Whoever made them closes it after `gate.close()`. */
export interface ToolSet {
  readonly tools: readonly AnyTool[];
  close(): Promise<void>;
}

/** Throws when the id is not a known tool: the one list of names is `core/tool/tool-table.ts`. */
export function defineBuiltin<const In extends InputSchema, Returned>(
  id: string,
  definition: BuiltinDefinition<In, Returned>,
): Tool<InferInput<In>, InferOutput<In>> {
  const known = findKnownTool(id);
  if (known === undefined || known.id !== id)
    throw new ToolgateError(`"${id}" is not in the list of known tools; add it there first.`);
  const { synonyms = {}, shapes = {}, adapt, input, ...rest } = definition;
  refuseHiddenRoles(known, synonyms);
  refuseUnknownShapes(known, shapes);
  const tool = {
    ...rest,
    id,
    category: known.category,
    permission: known.permission,
    capabilities: known.capabilities,
    aliases: known.aliases,
    roles: known.roles,
    annotations: { ...annotationsOf(known), ...definition.annotations },
    input: schemaWithSynonyms({
      id,
      schema: input,
      synonyms,
      adapt,
      shapes: new Map(Object.entries(shapes)),
    }),
  };
  return defineTool(tool as Parameters<typeof defineTool>[0]) as Tool<InferInput<In>, InferOutput<In>>;
}

/** For tools that take a file. */
export const pathSynonyms = ["file_path", "filePath", "absolute_path", "target_file"] as const;

/** For tools that take a folder. */
export const directorySynonyms = ["dir_path", "directory", "directory_path", "target_directory"] as const;

/** Routes read the input before it is renamed: no path, command or URL may hide under an unknown name. */
function refuseHiddenRoles(
  { id, roles }: KnownTool,
  synonyms: Readonly<Record<string, readonly string[] | undefined>>,
): void {
  for (const role of roleNames) {
    for (const field of roles[role] ?? []) {
      const hidden = synonyms[field]?.find((name) => !roles[role]?.includes(name));
      if (hidden === undefined) continue;
      throw new ToolgateError(
        `${id}: "${hidden}" stands for "${field}", which is a ${role}; list it among the roles of ${id} in tool-table.ts too.`,
      );
    }
  }
}

function refuseUnknownShapes({ id, aliases }: KnownTool, shapes: Readonly<Record<string, InputShape>>): void {
  const unknown = Object.keys(shapes).find((name) => !aliases.includes(name));
  if (unknown !== undefined)
    throw new ToolgateError(`${id}: a shape is given for "${unknown}", which is not one of its aliases.`);
}

function annotationsOf({ permission, capabilities }: KnownTool): ToolAnnotations {
  return {
    readOnlyHint: permission === "read",
    openWorldHint: capabilities.some((capability) => capability.startsWith("net:")),
  };
}
