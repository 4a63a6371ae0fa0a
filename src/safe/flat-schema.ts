/** The commonest schema, a closed object of plain fields, checked by hand: says yes quickly, and leaves every no to the real validator. */
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";

type Kind = "string" | "number" | "boolean" | "integer";

const plainKinds = new Set(["string", "number", "boolean", "integer"]);
/** Words that describe and do not constrain. */
const notes = new Set(["title", "description", "default", "examples", "deprecated", "$comment"]);
const objectWords = new Set(["type", "properties", "required", "additionalProperties", "$schema", ...notes]);

/** Undefined for any schema with a word this file does not know. True from the check means valid; false means: ask the validator. */
export function compileFlat(schema: Json): ((value: Json) => boolean) | undefined {
  if (!isJsonObject(schema) || schema.type !== "object" || schema.additionalProperties !== false)
    return undefined;
  if (!Object.keys(schema).every((word) => objectWords.has(word)) || !isJsonObject(schema.properties ?? {}))
    return undefined;
  const kinds = new Map<string, Kind>();
  for (const [name, field] of Object.entries((schema.properties ?? {}) as JsonObject)) {
    if (!isJsonObject(field) || typeof field.type !== "string" || !plainKinds.has(field.type))
      return undefined;
    if (!Object.keys(field).every((word) => word === "type" || notes.has(word))) return undefined;
    kinds.set(name, field.type as Kind);
  }
  const required = schema.required ?? [];
  if (!Array.isArray(required) || !required.every((name) => typeof name === "string" && kinds.has(name)))
    return undefined;
  return (value) => checkFlat(value, kinds, required as readonly string[]);
}

function checkFlat(value: Json, kinds: ReadonlyMap<string, Kind>, required: readonly string[]): boolean {
  if (!isJsonObject(value)) return false;
  let seen = 0;
  for (const key in value) {
    const kind = kinds.get(key);
    if (kind === undefined) return false;
    const member = value[key];
    if (kind === "integer" ? !Number.isInteger(member) : typeof member !== kind) return false;
    seen++;
  }
  if (seen === kinds.size) return true;
  for (const name of required) if (!Object.hasOwn(value, name)) return false;
  return true;
}
