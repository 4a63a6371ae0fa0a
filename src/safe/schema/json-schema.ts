/** Validates values by JSON Schema (2020-12, draft-07), also a stranger's, without freezing the process. */

import { Compile, Errors } from "typebox/schema";
import type { Json, JsonObject } from "../../core/input/json.ts";
import { cutText } from "../../core/text/cut-text.ts";
import type { FlatField, JsonSchema, ValidationResult } from "../../core/tool/schema.ts";
import { attempt, withinBudget } from "../process/time-budget.ts";
import { flatFields } from "./flat-schema.ts";
import { takeJson } from "./json-guard.ts";
import { inspectSchema, MAX_SUBSCHEMAS } from "./schema-bounds.ts";
import { copySchema } from "./schema-copy.ts";
import { costOf } from "./schema-cost.ts";
import { describeValue, issueAt, type RawIssue, toIssues } from "./schema-issues.ts";
import type { SchemaNode } from "./schema-keywords.ts";
import { type Doubt, makeSafe } from "./schema-parts.ts";

export type CompiledJsonSchema =
  | {
      readonly ok: true;
      readonly validate: (value: Json) => ValidationResult;
      readonly flat?: readonly FlatField[];
    }
  | { readonly ok: false; readonly message: string };

export const VALIDATION_BUDGET_MS = 100;
const COMPILE_BUDGET_MS = 1_000;
const FOREIGN_COMPILE_BUDGET_MS = 250;
const SMALL_VALUE_PARTS = 1_000;
const PLAIN_SCHEMA_BYTES = 16 * 1024;
/** Larger ones are compiled at once: a tool with a schema that cannot be compiled is not registered. */
const MOST_LATER_NODES = 300;
/** Of these the compiler makes each part once. `contains` in `contains`, for one, doubles at every level. */
const PLAIN_KEYWORDS = new Set([
  ...["$schema", "title", "description", "default", "examples", "type", "enum", "const", "required"],
  ...["properties", "additionalProperties", "items", "minItems", "maxItems", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
]);

export function compileJsonSchema(
  schema: JsonSchema,
  options: { readonly foreign?: boolean; readonly later?: boolean } = {},
): CompiledJsonSchema {
  const taken = takeJson(schema, { maxDepth: 300, maxBytes: 1024 * 1024 });
  if (!taken.ok) return refuse(`it is not plain JSON at ${taken.path}: ${taken.message}`);
  if (
    typeof taken.value !== "boolean" &&
    (typeof taken.value !== "object" || taken.value === null || Array.isArray(taken.value))
  ) {
    return refuse("a JSON Schema is an object, true or false");
  }
  const reading = inspectSchema(taken.value as SchemaNode);
  if (!reading.ok) return refuse(reading.message);
  const copy = copySchema(taken.value as SchemaNode, reading);
  if (copy === undefined)
    return refuse(`#: its dynamic references make more than ${2 * MAX_SUBSCHEMAS} schemas`);
  const { schema: root, nodes } = copy;
  const cost = costOf(nodes);
  if (cost === "endless")
    return refuse("#: the schema refers to itself without ever reaching a part of the value");
  const doubt: Doubt = { raised: false };
  let costly = cost === "costly";
  // The parts that are dangerous in the validator are replaced in the copy.
  for (const { schema: node, path } of nodes) {
    const made = makeSafe(node, path, options.foreign === true, doubt);
    if (made.message !== undefined) return refuse(made.message);
    costly ||= made.slow;
  }
  // A watchdog costs more than compiling a plain schema, whose compile time grows with its size only.
  const isPlain =
    !costly &&
    taken.bytes <= PLAIN_SCHEMA_BYTES &&
    nodes.every(({ schema: node }) => Object.keys(node).every((key) => PLAIN_KEYWORDS.has(key)));
  const bounded: typeof withinBudget = isPlain ? (_budgetMs, work) => attempt(work) : withinBudget;
  const compile = (): Compiled => {
    const budgetMs = options.foreign ? FOREIGN_COMPILE_BUDGET_MS : COMPILE_BUDGET_MS;
    const built = bounded(budgetMs, () => Compile(root as never));
    if (!built.ok) {
      return refuse(
        built.timedOut ? "it takes too long to compile: make it smaller" : "it is too complex to compile",
      );
    }
    const inherits = nodes.some(({ schema: node }) => namesInherited(node));
    validator.inherits = inherits;
    const check = (value: Json): boolean => built.value.Check(inherits ? withoutPrototypes(value) : value);
    // The first run compiles the generated code; too much of it fails here and not in the middle of a call.
    const trial = bounded(VALIDATION_BUDGET_MS, () => check(null));
    return trial.ok || trial.timedOut ? { ok: true, check } : refuse("it is too complex to compile");
  };
  const validator: Validator = { schema: root, check: checkLater, inherits: false, costly, doubt };
  // Of a thousand tools most are never called: a plain schema is compiled when its first value comes.
  function checkLater(value: Json): boolean {
    const made = compile();
    // Whoever runs the check takes what it throws for a value that is not valid.
    if (!made.ok) throw new Error(made.message);
    validator.check = made.check;
    return made.check(value);
  }
  if (options.later === true) {
    const check = validatingLater(compile, validator);
    const fields = flatFields(taken.value);
    return { ok: true, validate: check, ...(fields && { flat: fields }) };
  }
  if (!isPlain || nodes.length > MOST_LATER_NODES) {
    const made = compile();
    if (!made.ok) return made;
    validator.check = made.check;
  }
  const flat = flatFields(taken.value);
  return { ok: true, validate: (value) => validate(value, validator), ...(flat && { flat }) };
}

/** Apart from the check itself: compiling has a budget of its own, which a check's would cut short. */
function validatingLater(compile: () => Compiled, validator: Validator): (value: Json) => ValidationResult {
  let made: Compiled | undefined;
  return (value) => {
    if (made === undefined) {
      made = compile();
      if (made.ok) validator.check = made.check;
    }
    return made.ok
      ? validate(value, validator)
      : undecided(value, `the schema cannot be used: ${made.message}`);
  };
}

type Compiled =
  | { readonly ok: true; readonly check: (value: Json) => boolean }
  | { readonly ok: false; readonly message: string };

interface Validator {
  readonly schema: SchemaNode;
  check: (value: Json) => boolean;
  /** The schema names members that every object inherits. Known once it is compiled. */
  inherits: boolean;
  /** Needs a time budget for every value; the others only for large ones. */
  readonly costly: boolean;
  readonly doubt: Doubt;
}

function validate(value: Json, validator: Validator): ValidationResult {
  const { schema, check, costly, doubt } = validator;
  doubt.raised = false;
  const bounded = costly || isLarge(value);
  if (!bounded && quickly(check, value) && !doubt.raised) return { ok: true, value };
  doubt.raised = false;
  const run = bounded ? withinBudget(VALIDATION_BUDGET_MS, () => check(value)) : attempt(() => check(value));
  if (!run.ok) return undecided(value, run.timedOut ? TOO_SLOW : "the value is too deep for this schema");
  if (doubt.raised) return undecided(value, TOO_SLOW);
  return run.value
    ? { ok: true, value }
    : explain(schema, validator.inherits ? withoutPrototypes(value) : value, bounded);
}

/** The common case, a small valid value, without a result object; anything else is looked at again. */
function quickly(check: (value: Json) => boolean, value: Json): boolean {
  try {
    return check(value);
  } catch {
    return false;
  }
}

/** The validator asks `"toString" in value`, so an empty object would have the required member `toString`. */
function namesInherited(node: Readonly<Record<string, unknown>>): boolean {
  const lists = [
    node.required,
    ...["properties", "dependencies", "dependentRequired", "dependentSchemas"].map((key) => node[key]),
  ];
  return lists.some((list) => {
    if (typeof list !== "object" || list === null) return false;
    const names = Array.isArray(list)
      ? list
      : [...Object.keys(list), ...Object.values(list as JsonObject).flat()];
    return names.some((name) => typeof name === "string" && name in Object.prototype);
  });
}

function withoutPrototypes(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  const copy = Object.create(null) as Record<string, Json>;
  for (const [key, part] of Object.entries(value)) copy[key] = withoutPrototypes(part);
  return copy;
}

/** Counts parts, and stops counting early. */
function isLarge(value: Json): boolean {
  return countParts(value, 0) > SMALL_VALUE_PARTS;
}

function countParts(value: Json, before: number): number {
  let count = before + 1;
  if (typeof value !== "object" || value === null) return count;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && count <= SMALL_VALUE_PARTS; index++) {
      count = countParts(value[index] as Json, count);
    }
    return count;
  }
  for (const key in value) {
    if (count > SMALL_VALUE_PARTS) break;
    count = countParts((value as JsonObject)[key] as Json, count);
  }
  return count;
}

const TOO_SLOW = `checking took longer than ${VALIDATION_BUDGET_MS} ms`;

function undecided(value: Json, why: string): ValidationResult {
  const issue = issueAt("$", "a value that can be checked in time", describeValue(value));
  return {
    ok: false,
    undecided: true,
    issues: [{ ...issue, message: `$: not decided: ${why}; send a smaller or simpler value` }],
  };
}

/** Only after the value was found invalid: the result stays invalid whatever happens here. */
function explain(schema: SchemaNode, value: Json, bounded: boolean): ValidationResult {
  const list = (): readonly RawIssue[] => Errors(schema as never, value)[1];
  const found = bounded ? withinBudget(VALIDATION_BUDGET_MS, list) : { ok: true as const, value: list() };
  const issues = found.ok ? toIssues(found.value, schema, value) : [];
  const vague = issueAt("$", "a value that fits the schema", describeValue(value));
  return { ok: false, issues: issues.length > 0 ? issues : [vague] };
}

function refuse(message: string): { ok: false; message: string } {
  return { ok: false, message: cutText(message, 400) };
}
