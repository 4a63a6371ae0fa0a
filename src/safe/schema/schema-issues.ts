/** Says what is wrong with a value so that a model can repair it: where, expected, received. */

import type { Json, JsonObject } from "../../core/input/json.ts";
import { cutText } from "../../core/text/cut-text.ts";
import type { ValidationIssue } from "../../core/tool/schema.ts";
import { isObject, pointerKeys } from "./schema-keywords.ts";

/** The part of a validator error that is read here. */
export interface RawIssue {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MAX_ISSUES = 20;
const MAX_VALUE_CHARS = 80;

export function toIssues(raw: readonly RawIssue[], schema: unknown, value: Json): ValidationIssue[] {
  const merged = mergeChoices(raw.filter((issue) => !isEcho(issue)));
  const issues = merged.flatMap((issue) => explain(issue, schema, value));
  const distinct = new Map(issues.map((issue) => [issue.message, issue]));
  return [...distinct.values()].slice(0, MAX_ISSUES);
}

export function issueAt(path: string, expected: string, received: string): ValidationIssue {
  return { path, expected, received, message: `${path}: expected ${expected}, received ${received}` };
}

/** `string "3"`, `array of 2 items`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `array of ${value.length} ${value.length === 1 ? "item" : "items"}`;
  if (typeof value === "object") {
    const keys = Object.keys(value);
    return keys.length === 0
      ? "empty object"
      : cutText(`object with ${keys.slice(0, 10).join(", ")}`, MAX_VALUE_CHARS);
  }
  const shown =
    typeof value === "string" ? JSON.stringify(value.slice(0, MAX_VALUE_CHARS + 1)) : String(value);
  return cutText(`${typeof value} ${shown}`, MAX_VALUE_CHARS);
}

/** `$.files[0].name` */
export function pathOf(keys: readonly (string | number)[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    return key.length <= MAX_VALUE_CHARS && /^[A-Za-z_$][\w$]*$/.test(key)
      ? `${path}.${key}`
      : `${path}[${cutText(JSON.stringify(key), MAX_VALUE_CHARS)}]`;
  }, "$");
}

export function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}

/** `false` for an extra member is reported by its own keyword too. */
function isEcho(issue: RawIssue): boolean {
  return issue.keyword === "boolean" && /\/(?:additionalProperties|unevaluated\w+)$/.test(issue.schemaPath);
}

/** "string or number" reads better than one complaint for each branch. */
function mergeChoices(raw: readonly RawIssue[]): readonly RawIssue[] {
  let kept = raw;
  for (const choice of raw) {
    if (choice.keyword !== "anyOf" && choice.keyword !== "oneOf") continue;
    const prefix = `${choice.schemaPath}/${choice.keyword}/`;
    const branches = kept.filter((issue) => issue.schemaPath.startsWith(prefix));
    const simple = branches.every(
      (issue) => issue.instancePath === choice.instancePath && SIMPLE.has(issue.keyword),
    );
    if (branches.length === 0) continue;
    const alternatives = branches.map((issue) => expectation(issue));
    kept = simple
      ? kept
          .filter((issue) => !branches.includes(issue))
          .map((issue) =>
            issue === choice ? { ...choice, keyword: "choice", params: { alternatives } } : issue,
          )
      : kept.filter((issue) => issue !== choice);
  }
  return kept;
}

const SIMPLE = new Set(["type", "const", "enum"]);

function explain(issue: RawIssue, schema: unknown, value: Json): ValidationIssue[] {
  const keys = keysOf(issue.instancePath, value);
  const found = valueAt(value, keys);
  const { params } = issue;
  if (issue.keyword === "required") {
    return names(params.requiredProperties).map((name) =>
      issueAt(
        pathOf([...keys, name]),
        `${requiredForm(schema, issue.schemaPath, name)} (required)`,
        "nothing",
      ),
    );
  }
  if (issue.keyword === "additionalProperties" || issue.keyword === "unevaluatedProperties") {
    const allowed = knownNames(schema, issue.schemaPath);
    return names(params[issue.keyword]).map((name) =>
      issueAt(pathOf([...keys, name]), `no such property${allowed}`, describeValue(valueAt(found, [name]))),
    );
  }
  return [issueAt(pathOf(keys), expectation(issue), describeValue(found))];
}

function expectation({ keyword, params }: RawIssue): string {
  switch (keyword) {
    case "type":
      return [params.type].flat().join(" or ");
    case "choice":
      return [...new Set(params.alternatives as string[])].join(" or ");
    case "const":
      return quote(params.allowedValue);
    case "enum":
      return `one of ${cutText((params.allowedValues as unknown[]).slice(0, 30).map(quote).join(", "), 300)}`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `a number ${params.comparison} ${params.limit}`;
    case "multipleOf":
      return `a multiple of ${params.multipleOf}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return `at least ${params.limit} ${COUNTED[keyword.slice(3)]}`;
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return `at most ${params.limit} ${COUNTED[keyword.slice(3)]}`;
    case "pattern":
      return `text matching ${cutText(String(params.pattern), MAX_VALUE_CHARS)}`;
    case "~refine":
      return String(params.message);
    case "contains":
      return `at least ${params.minContains ?? 1} matching items`;
    case "propertyNames":
      return `other property names than ${cutText(names(params.propertyNames).join(", "), MAX_VALUE_CHARS)}`;
    case "dependentRequired":
    case "dependencies":
      return `also ${names(params.dependencies).join(", ")}, because ${params.property} is present`;
    case "oneOf":
      return names(params.passingSchemas).length > 1
        ? "exactly one of the allowed forms, not several"
        : "one of the allowed forms";
    case "anyOf":
      return "one of the allowed forms";
    case "if":
      return `what "${params.failingKeyword}" of the schema asks for`;
    case "not":
      return "a value that the schema does not exclude";
    case "unevaluatedItems":
      return "no more items";
    case "boolean":
      return "no value here";
    default:
      return `a value that fits "${keyword}"`;
  }
}

const COUNTED: Readonly<Record<string, string>> = {
  Length: "characters",
  Items: "items",
  Properties: "properties",
};

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, MAX_ISSUES).map(String) : [];
}

function requiredForm(schema: unknown, schemaPath: string, name: string): string {
  const type = schemaAt(schema, [...pointerKeys(schemaPath), "properties", name, "type"]);
  return typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "a value";
}

function knownNames(schema: unknown, schemaPath: string): string {
  const properties = schemaAt(schema, [...pointerKeys(schemaPath), "properties"]);
  if (!isObject(properties)) return "";
  const known = Object.keys(properties);
  return known.length === 0 ? "" : ` (known: ${cutText(known.slice(0, 30).join(", "), 200)})`;
}

/** The validator's paths lead through references as if what they refer to stood there. */
function schemaAt(root: unknown, keys: readonly string[]): unknown {
  let found = root;
  for (const key of keys) {
    while (isObject(found) && !Object.hasOwn(found, key) && typeof found.$ref === "string")
      found = valueAt(root, pointerKeys(found.$ref));
    found = valueAt(found, [key]);
  }
  return found;
}

function keysOf(pointer: string, value: Json): (string | number)[] {
  let found: unknown = value;
  return pointerKeys(pointer).map((key) => {
    const inArray = Array.isArray(found);
    found = (found as JsonObject | undefined)?.[key];
    return inArray ? Number(key) : key;
  });
}

function quote(value: unknown): string {
  return cutText(JSON.stringify(value) ?? "nothing", MAX_VALUE_CHARS);
}
