/** Loads one plugin file: reads it once, asks whether it may, makes its tools, keeps every error. */
import { dirname } from "node:path";
import { fingerprint } from "../../core/input/fingerprint.ts";
import type { ToolSource } from "../../core/tool/registry.ts";
import type { SandboxChoice, SandboxedTool } from "../../core/tool/sandbox-rules.ts";
import type { AnyTool } from "../../core/tool/tool.ts";
import { type ReadFile, readTextFile } from "../../safe/files/documents/read-text-file.ts";
import type { Place } from "../../safe/files/documents/read-yaml.ts";
import { showPath } from "../../safe/files/documents/shape-words.ts";
import type { HandlerPlace } from "./handlers/prepared-handler.ts";
import { parsePlugin, type WrittenTool } from "./parse-plugin.ts";
import type { PluginError } from "./plugin-error.ts";
import type { PluginToolTest } from "./plugin-format.ts";
import { defaultCategory, toolFromPlugin } from "./tool-from-plugin.ts";

/** `limited`: loaded, but each call asks, and it gets neither variables nor private addresses. */
export type PluginGrade = "trusted" | "limited" | "refused";

export interface LoadedPluginTool {
  readonly tool: AnyTool;
  readonly source: ToolSource;
  /** Another one: another tool, even if it has the name. */
  readonly digest: string;
  readonly file: string;
  /** Its file is the user's, or trusted. */
  readonly trusted: boolean;
  readonly place: Place;
  /** Where its category stands, or the tool if it names none. */
  readonly categoryPlace: Place;
  readonly tests: readonly PluginToolTest[];
}

export interface PluginFileLoad {
  /** Undefined: it could not be read. */
  readonly sha256: string | undefined;
  readonly grade: PluginGrade;
  readonly tools: readonly LoadedPluginTool[];
  readonly errors: readonly PluginError[];
  readonly warnings: readonly PluginError[];
}

/** What plugin files get from whoever loads them. */
export interface PluginSurroundings {
  /** Where `${NAME}` in headers comes from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sandbox?: (tool: SandboxedTool) => SandboxChoice;
  readonly hidden?: readonly string[];
  readonly readFile?: (file: string) => ReadFile;
}

export function loadPluginFile(
  file: string,
  gradeOf: (sha256: string) => PluginGrade,
  surroundings: PluginSurroundings,
): PluginFileLoad {
  const { readFile = readTextFile } = surroundings;
  const read = readFile(file);
  const failed = (errors: readonly PluginError[], more: Partial<PluginFileLoad> = {}): PluginFileLoad => ({
    sha256: undefined,
    grade: "trusted",
    tools: [],
    errors,
    warnings: [],
    ...more,
  });
  if (!read.ok) return failed([{ source: file, message: read.message }]);
  const { text, sha256 } = read;
  // Before it is parsed: an untrusted file may be a link to anything, and errors quote what they find.
  const grade = gradeOf(sha256);
  if (grade === "refused") return failed([], { sha256, grade });
  const parsed = parsePlugin(text, file);
  const { head } = parsed;
  if (head === undefined) return failed(parsed.errors, { sha256, grade });
  if (grade === "limited" && (head.env ?? []).length > 0) {
    const message = `Only a trusted file gets variables of the environment. Look at it, then run: toolgate trust ${file}`;
    return failed([{ source: file, field: "env", message }], { sha256, grade });
  }
  const place: HandlerPlace = {
    file,
    folder: dirname(file),
    trusted: grade === "trusted",
    allowPrivate: head.allowPrivate === true,
    env: variables(head.env ?? [], surroundings.env),
    declared: head.env ?? [],
    ...(surroundings.hidden !== undefined && { hidden: surroundings.hidden }),
  };
  const tools: LoadedPluginTool[] = [];
  const errors = [...parsed.errors];
  for (const written of parsed.tools) {
    const made = makeTool(written, head.name, withSandbox(place, written, surroundings));
    if (made.ok) tools.push(made.tool);
    else errors.push(...made.errors);
  }
  errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return { sha256, grade, tools, errors: atMost(errors, file), warnings: parsed.warnings };
}

function withSandbox(
  place: HandlerPlace,
  { definition: { name, category } }: WrittenTool,
  { sandbox }: PluginSurroundings,
): HandlerPlace {
  const tool = { id: name, category: category ?? defaultCategory };
  return sandbox === undefined ? place : { ...place, sandbox: () => sandbox(tool) };
}

/** More of them help nobody; a file of a thousand broken tools must not cost that much at every reload. */
const maxErrors = 100;

function atMost(errors: readonly PluginError[], source: string): readonly PluginError[] {
  if (errors.length <= maxErrors) return errors;
  const more = `There are ${errors.length - maxErrors} more errors; mend these first.`;
  return [...errors.slice(0, maxErrors), { source, message: more }];
}

function makeTool(
  { definition, json, placeOf }: WrittenTool,
  plugin: string,
  place: HandlerPlace,
):
  | { readonly ok: true; readonly tool: LoadedPluginTool }
  | { readonly ok: false; readonly errors: readonly PluginError[] } {
  const { file } = place;
  const made = toolFromPlugin(definition, place);
  if (!made.ok) {
    const errors = made.problems.map(({ path, message }) => ({
      source: file,
      toolName: definition.name,
      ...(path.length > 0 && { field: showPath(path) }),
      ...placeOf(path),
      message,
    }));
    return { ok: false, errors };
  }
  // What decides whether a tool is still the same: the words of its definition and the power of its place.
  const { tests: _tests, ...said } = json;
  const { trusted, allowPrivate } = place;
  const digest = fingerprint({ ...said, file, trusted, allowPrivate, env: Object.keys(place.env) });
  const tool = {
    tool: made.tool,
    source: { kind: "plugin" as const, name: plugin, file, digest },
    digest,
    file,
    trusted,
    place: placeOf(["name"]),
    categoryPlace: placeOf(["category"]),
    tests: definition.tests ?? [],
  };
  return { ok: true, tool };
}

function variables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const found: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of names) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) found[name] = value;
  }
  return found;
}
