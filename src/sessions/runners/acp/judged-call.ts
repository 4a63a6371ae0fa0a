/**
 * What the rules are to look at when an agent asks for permission: the tool that everybody knows, with its
 * command, paths or addresses. What cannot be told is refused.
 */
import { type RoleName, readRoles, rolesOf } from "../../../core/input/input-roles.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { AcpKind } from "../../../core/tool/acp-kinds.ts";
import { findAgentsTool, findKnownTool, type KnownTool } from "../../../core/tool/known-tools.ts";
import type { ToolFacts } from "./tool-facts.ts";

export interface Readings {
  /** Of calls of kind `execute` without an input the title is the whole command. */
  readonly titleIsCommand: boolean;
  /** Calls of these kinds are judged by their kind where the agent does not say what they look at. */
  readonly judgeByKind: readonly AcpKind[];
}

export type JudgedCall =
  | { readonly ok: true; readonly tools: readonly string[]; readonly input: JsonObject }
  | { readonly ok: false; readonly message: string };

const toolOfKind: { readonly [Kind in AcpKind]?: string } = {
  read: "fs.read",
  edit: "fs.edit",
  delete: "fs.delete",
  move: "fs.move",
  search: "search.grep",
  execute: "shell.exec",
  fetch: "web.fetch",
  switch_mode: "task.mode",
};

/** Several `tools`: nobody knows which of them it is, so the strictest answer holds. */
export function judgedCall(facts: ToolFacts, readings: Readings): JudgedCall {
  const name = nameOf(facts);
  const known = namedTool(name, facts) ?? ofKind(facts.kind);
  if (known === undefined) return unknownTool(facts, name);
  const input = inputFor(known, facts, readings);
  const missing = missingIn(known, input, facts, readings);
  if (missing !== undefined) return refuse(`${shown(facts)} does not say ${missing}.`);
  return { ok: true, tools: [name !== undefined && findAgentsTool(name) === known ? name : known.id], input };
}

/** A call whose kind says that it acts is none of a tool that does nothing, whatever its name. */
function namedTool(name: string | undefined, facts: ToolFacts): KnownTool | undefined {
  const named = name === undefined ? undefined : findAgentsTool(name);
  return named !== undefined && harmless.has(named.id) && !hasPlainKind(facts) ? undefined : named;
}

/** Tools that do nothing by themselves. */
export const harmless: ReadonlySet<string> = new Set(["task.todo", "task.mode", "task.ask"]);

/** A title is the tool's name only where no kind says what the tool does: a command may read like a name. */
export function nameOf(facts: ToolFacts): string | undefined {
  const { name, titles } = facts;
  if (name !== undefined) return name;
  return hasPlainKind(facts) ? titles.find((title) => /^[\w.:/-]{1,128}$/.test(title)) : undefined;
}

/** Nothing but its name says what the tool does. Models write titles: a command may be called what it likes. */
export function hasPlainKind({ kind }: Pick<ToolFacts, "kind">): boolean {
  return kind === undefined || kind === "other" || kind === "think";
}

function ofKind(kind: AcpKind | undefined): KnownTool | undefined {
  const id = kind === undefined ? undefined : toolOfKind[kind];
  return id === undefined ? undefined : findKnownTool(id);
}

/** A tool of an MCP server, most likely: how rules name those, only the agent's configuration could say. */
function unknownTool(facts: ToolFacts, name: string | undefined): JudgedCall {
  if (name === undefined) return refuse(`${shown(facts)} does not say which tool it is.`);
  if (facts.input === undefined) return refuse(`${shown(facts)} does not say what its input is.`);
  return { ok: true, tools: [name, ...serverNames(name)], input: facts.input };
}

const mostNames = 12;

function serverNames(name: string): string[] {
  if (name.startsWith("mcp__")) return [];
  const names: string[] = [];
  for (let at = name.search(/[_./:-]/); at > 0 && names.length < mostNames; ) {
    const tool = name.slice(at + 1).replace(/^_/, "");
    if (tool !== "") names.push(`mcp__${name.slice(0, at)}__${tool}`);
    const next = name.slice(at + 1).search(/[_./:-]/);
    at = next < 0 ? -1 : at + 1 + next;
  }
  return names;
}

function inputFor(known: KnownTool, facts: ToolFacts, { titleIsCommand }: Readings): JsonObject {
  const { input = {}, locations, edits, kind } = facts;
  if (known.id === "shell.exec") {
    const isTitle = titleIsCommand && kind === "execute" && facts.input === undefined;
    return isTitle ? titledCommand(facts) : input;
  }
  if (known.roles.path === undefined || known.id === "fs.move") return input;
  const named = valuesIn(known, input, "path");
  const paths = [...new Set([...named, ...locations, ...edits.map(({ path }) => path)])];
  if (edits.length === 0) return paths.length === 0 ? input : { ...input, paths };
  return {
    ...input,
    paths,
    edits: edits.map(({ path, text = "" }) => ({ path, new_string: text })),
  };
}

/** The text beside the title may name the folder that the command runs in: `[in /some/folder]`. */
function titledCommand({ titles, output }: ToolFacts): JsonObject {
  const command = titles.at(-1);
  const folder = /^\[in ([^[\]()]+)\](?= \(| \[|$)/.exec(output)?.[1];
  // It names one, and nobody can tell where the name ends.
  const isUnclear = folder === undefined && output.startsWith("[in ");
  if (command === undefined || isUnclear) return {};
  return folder === undefined ? { command } : { command, cwd: folder };
}

function missingIn(
  known: KnownTool,
  input: JsonObject,
  { kind = "other" }: ToolFacts,
  { judgeByKind }: Readings,
): string | undefined {
  const lacks = (role: RoleName) => valuesIn(known, input, role).length === 0;
  if (known.id === "shell.exec") return lacks("command") ? "which command it runs" : undefined;
  if (judgeByKind.includes(kind)) return undefined;
  if (known.category === "filesystem" || known.category === "editing")
    return lacks("path") ? "which file it is about" : undefined;
  if (known.category === "search") return Object.keys(input).length === 0 ? "where it searches" : undefined;
  if (known.roles.url !== undefined) return lacks("url") ? "which address it opens" : undefined;
  return undefined;
}

function valuesIn(known: KnownTool, input: JsonObject, role: RoleName): readonly string[] {
  return readRoles(rolesOf({ roles: known.roles }), input)?.[role] ?? [];
}

export function shown({ titles, kind = "other", id }: ToolFacts): string {
  return `The agent's tool call ${JSON.stringify((titles.at(-1) ?? id).slice(0, 200))} (${kind})`;
}

function refuse(message: string): JudgedCall {
  return { ok: false, message };
}
