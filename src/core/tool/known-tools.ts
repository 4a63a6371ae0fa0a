/** Finds the tools of the table by their names. Short processes read only the entries that they ask for. */
import type { InputRoles } from "../input/input-roles.ts";
import { words } from "../text/words.ts";
import type { Permission } from "./permission.ts";
import { agentsOwnTools, powerShells, type WrittenTool, writtenTools } from "./tool-table.ts";

export interface KnownTool {
  readonly id: string;
  readonly category: string;
  readonly permission: Permission;
  readonly capabilities: readonly string[];
  /** Names under which it can be called. */
  readonly aliases: readonly string[];
  /**
   * What agents call their own tools that do the same. Every rule for the tool holds for its kin. A rule that
   * names one of them concerns that one alone, and a call of ours by such a name finds nothing: it would be
   * written for another tool.
   */
  readonly kin: readonly string[];
  /** Tools whose work an agent's call of this one does as well: every rule for them holds for it. */
  readonly does: readonly string[];
  readonly roles: InputRoles;
}

let byName: ReadonlyMap<string, WrittenTool> | undefined;
let byKin: ReadonlyMap<string, WrittenTool> | undefined;

export function findKnownTool(name: string): KnownTool | undefined {
  byName ??= indexed(
    writtenTools,
    ({ id, names: { aliases = "" } }) => `${id} ${id.replaceAll(".", "_")} ${aliases}`,
  );
  return toolOf(byName.get(name));
}

/** The tool that an agent means by this name of its own. */
export function findAgentsTool(name: string): KnownTool | undefined {
  const known = findKnownTool(name);
  if (known !== undefined) return known;
  byKin ??= indexed([...writtenTools, ...agentsOwnTools], ({ names: { kin = "" } }) => kin);
  return toolOf(byKin.get(name));
}

export function allKnownTools(): readonly KnownTool[] {
  return writtenTools.flatMap((one) => toolOf(one) ?? []);
}

function indexed(
  tools: readonly WrittenTool[],
  namesOf: (tool: WrittenTool) => string,
): Map<string, WrittenTool> {
  const index = new Map<string, WrittenTool>();
  for (const tool of tools) for (const name of words(namesOf(tool))) index.set(name, tool);
  // What stands between two blanks, and is no name.
  index.delete("");
  return index;
}

const read = new Map<WrittenTool, KnownTool>();

function toolOf(tool: WrittenTool | undefined): KnownTool | undefined {
  if (tool === undefined) return undefined;
  const known = read.get(tool) ?? readTool(tool);
  read.set(tool, known);
  return known;
}

function readTool({ id, kind, names: { aliases, kin, does, ...fields } }: WrittenTool): KnownTool {
  const [category, permission, ...capabilities] = words(kind) as [string, Permission, ...string[]];
  const roles: InputRoles = Object.fromEntries(
    Object.entries(fields).map(([role, names]) => [role, words(names)]),
  );
  const list = (text: string | undefined) => (text === undefined ? [] : words(text));
  return Object.freeze({
    id,
    category,
    permission,
    capabilities,
    aliases: list(aliases),
    kin: list(kin),
    does: list(does),
    roles,
  });
}

const inPowerShell: ReadonlySet<string> = new Set(words(powerShells));

/** In which language a shell of this name reads its lines; undefined: the usual one. */
export function shellLanguage(name: string): "powershell" | undefined {
  return inPowerShell.has(name) ? "powershell" : undefined;
}
