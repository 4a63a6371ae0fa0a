/**
 * The commonest schema, a closed object of plain fields: its inputs are taken and checked in one look, and
 * every no is left to the long way.
 */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { FlatField } from "../../core/tool/schema.ts";
import { FLAT_CHARACTERS, FLAT_KEYS } from "./json-guard.ts";

const plainKinds = new Set(["string", "number", "boolean", "integer"]);
/** Words that describe and do not constrain. */
const notes = new Set(["title", "description", "default", "examples", "deprecated", "$comment"]);
const objectWords = new Set(["type", "properties", "required", "additionalProperties", "$schema", ...notes]);

/** All that the schema says; undefined for any schema with a word this file does not know. */
export function flatFields(schema: Json): readonly FlatField[] | undefined {
  if (!isJsonObject(schema) || schema.type !== "object" || schema.additionalProperties !== false)
    return undefined;
  if (!Object.keys(schema).every((word) => objectWords.has(word)) || !isJsonObject(schema.properties ?? {}))
    return undefined;
  const { required = [] } = schema;
  if (!Array.isArray(required)) return undefined;
  const fields: FlatField[] = [];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as JsonObject)) {
    if (!isJsonObject(field) || typeof field.type !== "string" || !plainKinds.has(field.type))
      return undefined;
    if (!Object.keys(field).every((word) => word === "type" || notes.has(word)) || name === "__proto__")
      return undefined;
    fields.push({ name, required: required.includes(name), kind: field.type as FlatField["kind"] });
  }
  const names = new Set<Json>(fields.map(({ name }) => name));
  return fields.length <= FLAT_KEYS && required.every((name) => names.has(name)) ? fields : undefined;
}

/**
 * A frozen copy of an input that fits, if its fields come in the order of the schema, as those of most do.
 * Undefined says nothing: it must be taken and checked the long way.
 */
export function takeFitting(value: unknown, fields: readonly FlatField[]): JsonObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
    const copy = { ...value } as Record<string, Json>;
    let next = 0;
    for (const key in copy) {
      let field = fields[next++];
      while (field !== undefined && field.name !== key && !field.required) field = fields[next++];
      if (field === undefined || field.name !== key || !fits(copy[key], field.kind)) return undefined;
    }
    return next === fields.length || noneRequired(fields, next) ? Object.freeze(copy) : undefined;
  } catch {
    // Only foreign code (a proxy trap, a getter) can throw here; the long way says so.
    return undefined;
  }
}

function fits(member: unknown, kind: FlatField["kind"]): boolean {
  if (kind === "string") return typeof member === "string" && member.length <= FLAT_CHARACTERS;
  if (kind === "boolean") return typeof member === "boolean";
  // Infinity and NaN minus themselves are NaN.
  if (typeof member !== "number" || member - member !== 0 || Object.is(member, -0)) return false;
  return kind === "number" || Number.isInteger(member);
}

function noneRequired(fields: readonly FlatField[], from: number): boolean {
  for (let index = from; index < fields.length; index++) if (fields[index]?.required === true) return false;
  return true;
}
