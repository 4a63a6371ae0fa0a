/** The texts of an input in each role, as they are found one by one. */
import { holdsManyCommands } from "./command-fields.ts";
import type { RoleName, RoleValues } from "./input-roles.ts";
import { pathsInPatch } from "./patch-headers.ts";

export type WrittenRoles = { -readonly [Role in RoleName | "unreadable"]: RoleValues[Role][number][] } & {
  stdin?: true;
};

/** Most inputs have one role, or two: the lists of the others are this one. */
const nothing: never[] = [];
Object.freeze(nothing);

export function noTexts(): WrittenRoles {
  return { command: nothing, path: nothing, url: nothing, content: nothing, unreadable: nothing };
}

export function isEmpty({ command, path, url, content, unreadable }: WrittenRoles): boolean {
  return command.length + path.length + url.length + content.length + unreadable.length === 0;
}

export function add(text: string, role: RoleName, values: WrittenRoles): void {
  if (values[role] === nothing) values[role] = [text];
  else values[role].push(text);
}

export function addUnreadable(role: RoleName, values: WrittenRoles): void {
  if (!values.unreadable.includes(role)) values.unreadable = [...values.unreadable, role];
}

/** `["bash", "-lc", "ls"]` and `["ls", "my file"]` as one line a shell would read the same way. */
export function commandFromWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** A command given as a list of words is one command; a list called `commands` holds many. */
export function isOneCommand(list: readonly unknown[], role: RoleName, field: string): list is string[] {
  return role === "command" && !holdsManyCommands(field) && list.every(isString);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** False when no path was found. */
export function collectPatchPaths(value: unknown, values: WrittenRoles): boolean {
  const before = values.path.length;
  for (const text of [value].flat())
    if (typeof text === "string") for (const path of pathsInPatch(text)) add(path, "path", values);
  return values.path.length > before;
}
