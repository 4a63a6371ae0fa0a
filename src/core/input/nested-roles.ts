/**
 * Roles of what lies deeper in an input than its own fields: `{args: {path: "a"}}`, `{files: [{path: "a"}]}`.
 * The common names count at every depth, for a server finds them there as well.
 */
import { holdsManyCommands } from "./command-fields.ts";
import type { RolesByName } from "./input-roles.ts";
import { add, addUnreadable, commandFromWords, isOneCommand, type WrittenRoles } from "./role-texts.ts";
import { addSplitCommands } from "./split-commands.ts";

export interface NestedReading {
  readonly roleOf: RolesByName;
  readonly values: WrittenRoles;
  /** How many more fields and lists are looked at. */
  left: number;
}

/** Far more than people and models write, and still less work than parsing the input was. */
const maxFields = 10_000;
const maxDepth = 16;

export function nestedReading(roleOf: NestedReading["roleOf"], values: WrittenRoles): NestedReading {
  return { roleOf, values, left: maxFields };
}

/** `value`: what the field of this name holds. */
export function readNested(value: object, name: string, reading: NestedReading, depth = 1): void {
  if (depth > maxDepth || reading.left <= 0) addUnknown(reading.values);
  else if (Array.isArray(value)) readList(value, name, reading, depth);
  else readObject(value as Readonly<Record<string, unknown>>, name, reading, depth);
}

/** The value may hold anything. An unknown path would be approved with the tool; an opaque command asks. */
export function addUnknown(values: WrittenRoles): void {
  for (const role of ["path", "url", "command"] as const) addUnreadable(role, values);
}

function readList(list: readonly unknown[], name: string, reading: NestedReading, depth: number): void {
  const { roleOf, values } = reading;
  const role = roleOf.get(name);
  reading.left--;
  if (role !== undefined && isOneCommand(list, role, name)) {
    add(commandFromWords(list), role, values);
    return;
  }
  // Of many commands each may be a list of words.
  const nameOfEach = role === "command" && holdsManyCommands(name) ? "command" : name;
  for (const item of list) {
    if (typeof item === "object" && item !== null) readNested(item, nameOfEach, reading, depth + 1);
    else if (role === undefined) continue;
    else if (typeof item === "string") add(item, role, values);
    else addUnreadable(role, values);
  }
}

function readObject(
  object: Readonly<Record<string, unknown>>,
  name: string,
  reading: NestedReading,
  depth: number,
): void {
  const { roleOf, values } = reading;
  const own = roleOf.get(name);
  const before = own === undefined ? 0 : values[own].length;
  const keys = Object.keys(object);
  reading.left -= keys.length + 1;
  if (reading.left < 0) {
    addUnknown(values);
    return;
  }
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "object" && value !== null) readNested(value, key, reading, depth + 1);
    else if (typeof value === "string") {
      const role = roleOf.get(key);
      if (role !== undefined) add(value, role, values);
    }
  }
  addSplitCommands(object, values);
  // `{file: {path: "a"}}` says which file it is; `{file: {id: "a"}}` says it in words that we do not know.
  if (own !== undefined && values[own].length === before) addUnreadable(own, values);
}
