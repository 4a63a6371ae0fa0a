/** What the fields of an input mean: one rule about commands, paths or URLs holds for every tool. */

import { words } from "../text/words.ts";
import { isCommandField } from "./command-fields.ts";
import { isRecord } from "./json.ts";
import { addUnknown, type NestedReading, nestedReading, readNested } from "./nested-roles.ts";
import { pathLooks } from "./path-looks.ts";
import { isPathField, isUrlField } from "./place-fields.ts";
import { readField } from "./read-field.ts";
import {
  add,
  collectPatchPaths,
  commandFromWords,
  isEmpty,
  isOneCommand,
  isString,
  noTexts,
  type WrittenRoles,
} from "./role-texts.ts";
import type { SearchReach } from "./search-reach.ts";
import { addSplitCommands } from "./split-commands.ts";
import { typedLines, typesIntoTerminal } from "./terminal-input.ts";

export const roleNames = ["command", "path", "url", "content"] as const;

export type RoleName = (typeof roleNames)[number];

/**
 * What a tool may state about its fields. `patch`: text that names files in its own lines; those are paths of
 * the call. `stdin`: text for a program that runs already; it may be a shell, so the text also counts as a
 * command. `arguments`: the input of something else that states no roles; the common names count in it.
 */
export const statedRoles = [...roleNames, "patch", "stdin", "arguments"] as const;

export type StatedRole = (typeof statedRoles)[number];

/** Field names per role; a field may be a list of strings, or a list of objects given as `files[].path`. */
export type InputRoles = { readonly [Role in StatedRole]?: readonly string[] };

/**
 * Names that agents and MCP servers commonly use. They count for tools that do not state their roles, at
 * every depth of the input. Every name counts that says so (`command-fields.ts`, `place-fields.ts`), not only
 * these.
 */
export const conventionalRoles: { readonly [Role in RoleName]: readonly string[] } = {
  command: words("command cmd commands script"),
  path: words(
    "path paths file_path filePath file_paths filename file files absolute_path notebook_path dir dir_path " +
      "directory directory_path target_file target_directory source destination from to cwd workdir",
  ),
  url: words("url urls uri"),
  content: words("content contents new_string newString new_str text diff patch"),
};

interface RoleOfField {
  readonly role: StatedRole;
  readonly field: string;
}

export interface RoleIndex {
  /** By the input's own top-level keys: a call pays for the keys it has, not for the names there could be. */
  readonly byKey: Pick<ReadonlyMap<string, readonly RoleOfField[]>, "get" | "size">;
  /** By the names in what those keys hold. Undefined: the tool said where to look, or nothing lies deeper. */
  readonly below: RolesByName | undefined;
  /** The roles that a field of some input could have. */
  readonly possible: ReadonlySet<StatedRole>;
  /** It states no roles and may open files: also what only looks like a path may be one. */
  readonly opensFiles?: true;
  /** By its name it types into a terminal. */
  readonly types?: true;
}

export type RolesByName = Pick<ReadonlyMap<string, RoleName>, "get">;

export type RoleValues = { readonly [Role in RoleName]: readonly string[] } & {
  /** Roles in which the input holds something that is not text: it must not count as nothing. */
  readonly unreadable: readonly RoleName[];
  /** The commands are text for a running program: what they do is not all that the call does. */
  readonly stdin?: true;
  /** The URLs are no addresses in the network. */
  readonly urlIsName?: true;
  /** A path that no rule judges. */
  readonly bound?: string;
  /** Texts that look like paths, in fields whose names do not say so. */
  readonly looks?: readonly string[];
  /** What a search opens by itself. */
  readonly search?: SearchReach;
  /** A command whose text the tool's author fixed; the call only fills in arguments. */
  readonly fixed?: { readonly command: string; readonly cwd: string; readonly doubt: string | undefined };
};

export function rolesOf(tool: {
  readonly id?: string;
  readonly roles?: InputRoles;
  readonly capabilities?: readonly string[];
}): RoleIndex {
  if (tool.roles !== undefined) return statedIndex(tool.roles);
  const index = mayOpenFiles(tool.capabilities ?? []) ? conventionalIndex() : conventionalIndexWithoutPaths();
  if (tool.id === undefined || !typesIntoTerminal(tool.id)) return index;
  return { ...index, possible: new Set([...index.possible, "stdin" as const]), types: true };
}

/**
 * A tool that declares capabilities but none for files has no file paths: its `path` may be an API's. `mcp:`
 * is not the server's word but ours, and says nothing about files: what a server on this machine calls `path`
 * is one.
 */
export function mayOpenFiles(capabilities: readonly string[]): boolean {
  return (
    capabilities.length === 0 ||
    capabilities.some(
      (one) => one === "*" || one.startsWith("fs:") || one.startsWith("shell:") || one.startsWith("mcp:"),
    )
  );
}

export function isShell(tool: {
  readonly roles?: InputRoles;
  readonly capabilities?: readonly string[];
}): boolean {
  return tool.capabilities?.includes("shell:run") === true || (tool.roles?.command?.length ?? 0) > 0;
}

/** Is there a command line in it, or something in its place that nobody can read? */
export function holdsCommand(values: RoleValues | undefined): boolean {
  return values !== undefined && (values.command.length > 0 || values.unreadable.includes("command"));
}

/** All strings that the input holds in each role; undefined when it holds none. */
export function readRoles(index: RoleIndex, input: unknown): RoleValues | undefined {
  const values = readFields(index, input);
  if ((index.opensFiles ?? index.types) === undefined || !isRecord(input)) return values;
  const looks = index.opensFiles === true ? pathLooks(input) : [];
  const typed = index.types === true ? typedLines(input) : [];
  if (looks.length + typed.length === 0) return values;
  const all = { ...(values ?? noTexts()), ...(looks.length > 0 && { looks }) };
  return typed.length === 0 ? all : { ...all, command: [...all.command, ...typed], stdin: true };
}

function readFields({ byKey, below }: RoleIndex, input: unknown): RoleValues | undefined {
  if ((byKey.size === 0 && below === undefined) || !isRecord(input)) return undefined;
  let values: WrittenRoles | undefined;
  let nested: NestedReading | undefined;
  let pathless = false;
  // Half the time of `Object.keys`, which makes a list and then has to look for each value.
  for (const key in input) {
    const held = input[key];
    if (below !== undefined && typeof held === "object" && held !== null) {
      if (!Object.hasOwn(input, key)) continue;
      values ??= noTexts();
      nested ??= nestedReading(below, values);
      readNested(held, key, nested);
      continue;
    }
    const entries = byKey.get(key);
    if (entries === undefined || !Object.hasOwn(input, key)) continue;
    values ??= noTexts();
    let failed: RoleName[] | undefined;
    for (const { role, field } of entries) {
      const value = readField(input, field);
      if (role === "patch") pathless = !collectPatchPaths(value, values) || pathless;
      else if (role === "arguments") collectArguments(value, field, values);
      else if (role === "stdin") {
        values.stdin = true;
        if (!collectTexts(value, "command", field, values))
          values.unreadable = [...values.unreadable, "command"];
      } else if (!collectTexts(value, role, field, values)) failed = [...(failed ?? []), role];
    }
    // One reading of a field is enough (`files` and `files[].path`), but what was read as content is no path.
    if (failed !== undefined) values.unreadable = [...values.unreadable, ...wholly(failed, entries)];
  }
  if (below !== undefined && values !== undefined) addSplitCommands(input, values);
  // A patch that names no file in a form we know may still name one in a form that its tool knows.
  if (pathless && values?.path.length === 0) values.unreadable = [...values.unreadable, "path"];
  return nested !== undefined && isEmpty(nested.values) ? undefined : values;
}
/** The roles in which no entry could be read. */
function wholly(failed: readonly RoleName[], entries: readonly { readonly role: StatedRole }[]): RoleName[] {
  const count = (list: readonly StatedRole[], role: RoleName) => list.filter((one) => one === role).length;
  const tried = entries.map(({ role }) => role);
  return [...new Set(failed)].filter((role) => count(failed, role) === count(tried, role));
}

/** What a field of this name commonly means. */
export function roleOfField(field: string): RoleName | undefined {
  const role = roleNames.find((one) => conventionalRoles[one].includes(field));
  return role ?? (isCommandField(field) ? "command" : undefined);
}

/** However names are spelled: a server that has `filePath` may as well have `FilePath`. */
function roleByWords(field: string): RoleName | undefined {
  if (isCommandField(field)) return "command";
  if (isPathField(field)) return "path";
  return isUrlField(field) ? "url" : undefined;
}

function statedIndex(roles: InputRoles): RoleIndex {
  const possible = new Set(statedRoles.filter((role) => (roles[role]?.length ?? 0) > 0));
  return { byKey: indexRoles(roles), below: undefined, possible };
}

function indexRoles(roles: InputRoles): ReadonlyMap<string, readonly RoleOfField[]> {
  const index = new Map<string, RoleOfField[]>();
  for (const role of statedRoles) {
    for (const field of roles[role] ?? []) {
      const key = topKey(field);
      index.set(key, [...(index.get(key) ?? []), { role, field }]);
    }
  }
  return index;
}

/** The part before the first `[]` or dot. A short process would take longer to compile a pattern for it. */
function topKey(field: string): string {
  const [start = field] = field.split(".", 1);
  return start.split("[]", 1)[0] ?? start;
}

function conventional(roles: { readonly [Role in RoleName]: readonly string[] }): RoleIndex & {
  readonly below: RolesByName;
} {
  const named = roleNames.flatMap((role) => roles[role].map((name) => [name, role] as const));
  const names = new Map<string, RoleName>(named);
  const keys = indexRoles(roles);
  const byWords = (name: string) => {
    const role = roleByWords(name);
    return role !== undefined && roles[role].length > 0 ? role : undefined;
  };
  const below = { get: (name: string) => names.get(name) ?? byWords(name) };
  const byKey = {
    size: keys.size,
    get: (key: string) => {
      const known = keys.get(key);
      if (known !== undefined) return known;
      const role = byWords(key);
      return role && [{ role, field: key }];
    },
  };
  const opensFiles = roles.path.length > 0 && ({ opensFiles: true } as const);
  return { byKey, below, possible: new Set<StatedRole>(roleNames), ...opensFiles };
}

type Conventional = ReturnType<typeof conventional>;
let withPaths: Conventional | undefined;
let withoutPaths: Conventional | undefined;

/** Made when they are first needed: most tools state their roles. */
function conventionalIndex(): Conventional {
  withPaths ??= conventional(conventionalRoles);
  return withPaths;
}

function conventionalIndexWithoutPaths(): RoleIndex {
  withoutPaths ??= conventional({ ...conventionalRoles, path: [] });
  return withoutPaths;
}

/** False when the value holds something that could be meant but cannot be read. */
function collectTexts(value: unknown, role: RoleName, field: string, values: WrittenRoles): boolean {
  if (typeof value === "string") add(value, role, values);
  else if (!Array.isArray(value)) return typeof value !== "object" || value === null;
  else if (isOneCommand(value, role, field)) add(commandFromWords(value), role, values);
  else {
    for (const item of value as unknown[]) {
      if (typeof item === "string") add(item, role, values);
      else if (role === "command" && Array.isArray(item) && item.every(isString))
        add(commandFromWords(item), role, values);
      else return false;
    }
  }
  return true;
}

function collectArguments(value: unknown, field: string, values: WrittenRoles): void {
  if (isRecord(value)) readNested(value, field, nestedReading(conventionalIndex().below, values));
  else if (value !== undefined && value !== null) addUnknown(values);
}
