/** The form of each JSON Schema keyword (2020-12 and draft-07), and where sub-schemas sit in it. */

import type { Json, JsonObject } from "../../core/input/json.ts";
import { cutText } from "../../core/text/cut-text.ts";
import { words } from "../../core/text/words.ts";

export type SchemaNode = JsonObject | boolean;

export interface SubSchema {
  readonly schema: Json;
  readonly path: string;
  /** `same`: checks the value; `member`: a named part; `each`: every item or key; `none`: a definition. */
  readonly applies: "same" | "member" | "each" | "none";
}

/** What is wrong with a keyword's value, or its sub-schemas (whose own form the caller checks). */
export function readKeyword(name: string, value: Json, path: string): string | readonly SubSchema[] {
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  if (form === undefined) return [];
  const [kind, applies] = form;
  const wrong = (expected: string): string => `${path}: "${name}" must be ${expected}, not ${short(value)}`;
  switch (kind) {
    case "schema":
      return isSchema(value) ? [{ schema: value, path, applies }] : wrong("a schema");
    case "items":
      if (isSchema(value)) return [{ schema: value, path, applies: "each" }];
      return Array.isArray(value)
        ? listOf(value, path, "member", wrong)
        : wrong("a schema or a list of schemas");
    case "list":
      if (!Array.isArray(value) || value.length === 0) return wrong("a list of at least one schema");
      return listOf(value, path, applies, wrong);
    case "map":
      if (!isObject(value)) return wrong("an object of schemas");
      return mapOf(value, path, applies, wrong);
    case "dependencies":
      return readDependencies(value, path, wrong);
    case "string":
      return typeof value === "string" ? [] : wrong("text");
    case "count":
      return Number.isInteger(value) && (value as number) >= 0 ? [] : wrong("a whole number of at least 0");
    case "number":
      return typeof value === "number" ? [] : wrong("a number");
    case "positive":
      return typeof value === "number" && value > 0 ? [] : wrong("a number above 0");
    case "boolean":
      return typeof value === "boolean" ? [] : wrong("true or false");
    case "array":
      return Array.isArray(value) ? [] : wrong("a list");
    case "names":
      return isNameList(value) ? [] : wrong("a list of different names");
    case "namesMap":
      return isObject(value) && Object.values(value).every(isNameList)
        ? []
        : wrong("an object of lists of names");
    case "type":
      return isType(value) ? [] : wrong(`one of ${TYPES.join(", ")} (or a list of them)`);
  }
}

type Kind =
  | "schema"
  | "items"
  | "list"
  | "map"
  | "dependencies"
  | "string"
  | "count"
  | "number"
  | "positive"
  | "boolean"
  | "array"
  | "names"
  | "namesMap"
  | "type";
type Wrong = (expected: string) => string;

const forms = (kind: Kind, applies: SubSchema["applies"], names: string) =>
  words(names).map((name) => [name, [kind, applies] as const] as const);

const FORMS: Readonly<Record<string, readonly [Kind, SubSchema["applies"]]>> = Object.fromEntries([
  ...forms("schema", "same", "not if then else"),
  ...forms("schema", "each", "additionalProperties additionalItems contains propertyNames"),
  ...forms("schema", "each", "unevaluatedItems unevaluatedProperties"),
  ...forms("schema", "none", "contentSchema"),
  ...forms("items", "each", "items"),
  ...forms("list", "same", "allOf anyOf oneOf"),
  ...forms("list", "member", "prefixItems"),
  ...forms("map", "member", "properties"),
  ...forms("map", "each", "patternProperties"),
  ...forms("map", "same", "dependentSchemas"),
  ...forms("map", "none", "$defs definitions"),
  ...forms("dependencies", "same", "dependencies"),
  ...forms(
    "string",
    "none",
    "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $comment title",
  ),
  ...forms("string", "none", "description pattern format contentEncoding contentMediaType"),
  ...forms("count", "none", "maxLength minLength maxItems minItems maxProperties minProperties"),
  ...forms("count", "none", "maxContains minContains"),
  ...forms("number", "none", "maximum minimum exclusiveMaximum exclusiveMinimum"),
  ...forms("positive", "none", "multipleOf"),
  ...forms("boolean", "none", "uniqueItems deprecated readOnly writeOnly $recursiveAnchor"),
  ...forms("array", "none", "enum examples"),
  ...forms("names", "none", "required"),
  ...forms("namesMap", "none", "dependentRequired"),
  ...forms("type", "none", "type"),
]);

const TYPES = words("string number integer boolean object array null");

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === "boolean" || isObject(value);
}

/** One step of a JSON pointer. */
export function step(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function pointerKeys(pointer: string): string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isType(value: Json): boolean {
  if (typeof value === "string") return TYPES.includes(value);
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    isNameList(value) &&
    value.every((name) => TYPES.includes(name))
  );
}

function isNameList(value: Json): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === "string") &&
    new Set(value).size === value.length
  );
}

function listOf(items: readonly Json[], path: string, applies: SubSchema["applies"], wrong: Wrong) {
  return items.every(isSchema)
    ? items.map((schema, index) => ({ schema, path: path + step(index), applies }))
    : wrong("a list of schemas");
}

function mapOf(map: JsonObject, path: string, applies: SubSchema["applies"], wrong: Wrong) {
  const entries = Object.entries(map);
  const bad = entries.find(([, schema]) => !isSchema(schema));
  if (bad !== undefined) return wrong(`an object of schemas ("${bad[0].slice(0, 40)}" is ${short(bad[1])})`);
  return entries.map(([key, schema]) => ({ schema, path: path + step(key), applies }));
}

function readDependencies(value: Json, path: string, wrong: Wrong): string | readonly SubSchema[] {
  if (!isObject(value)) return wrong("an object");
  const found: SubSchema[] = [];
  for (const [key, entry] of Object.entries(value)) {
    if (isSchema(entry)) found.push({ schema: entry, path: path + step(key), applies: "same" });
    else if (!isNameList(entry)) return wrong("an object of schemas or lists of names");
  }
  return found;
}

function short(value: Json): string {
  return cutText(JSON.stringify(value), 80);
}
