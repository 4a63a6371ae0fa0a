/** Turns the schema of a tool (Standard Schema or JSON Schema) into a validator and a JSON Schema. */

import type { Json } from "../../core/input/json.ts";
import type {
  CompiledSchema,
  JsonSchema,
  Schema,
  StandardIssue,
  StandardSchema,
  ValidateInput,
  ValidationIssue,
  ValidationResult,
} from "../../core/tool/schema.ts";
import { takeJson } from "./json-guard.ts";
import { compileJsonSchema } from "./json-schema.ts";
import { describeValue, issueAt, pathOf, valueAt } from "./schema-issues.ts";

export function compileSchema(
  schema: Schema,
  options: { readonly foreign?: boolean; readonly later?: boolean } = {},
): CompiledSchema {
  const shown = toJsonSchema(schema);
  if (!shown.ok) return shown;
  if (isStandardSchema(schema)) {
    // The schema a library shows is made for models; only its own validator knows what passes.
    return { ok: true, jsonSchema: shown.schema, validate: compileStandardSchema(schema), closed: false };
  }
  const compiled = compileJsonSchema(shown.schema, options);
  if (!compiled.ok) return compiled;
  const { validate, flat } = compiled;
  return {
    ok: true,
    jsonSchema: shown.schema,
    validate,
    closed: isClosed(shown.schema),
    ...(flat && { flat }),
  };
}

/** The definition for models, or what the author must pass instead. */
export function toJsonSchema(
  schema: Schema,
): { readonly ok: true; readonly schema: JsonSchema } | { readonly ok: false; readonly message: string } {
  if (!isStandardSchema(schema)) return freeze(schema);
  const standard = schema["~standard"];
  if (standard.jsonSchema === undefined) {
    return {
      ok: false,
      message:
        `this ${vendorOf(standard.vendor)} schema cannot describe itself as JSON Schema, so no model could be told its input: ` +
        "pass a schema with `~standard.jsonSchema` (zod 4 has it; valibot through toStandardJsonSchema of @valibot/to-json-schema), or a plain JSON Schema",
    };
  }
  try {
    return freeze(standard.jsonSchema.input({ target: "draft-2020-12" }));
  } catch (error) {
    return { ok: false, message: `it has no JSON Schema form: ${describeThrown(error)}` };
  }
}

/** The library's own code runs here; what it throws becomes an issue, never an exception in the walk. */
export function compileStandardSchema(schema: StandardSchema): ValidateInput {
  const standard = schema["~standard"];
  return (input) => {
    try {
      const result = standard.validate(input);
      return result instanceof Promise
        ? result.then(
            (done) => toResult(done, input),
            (error: unknown) => failed(error, input),
          )
        : toResult(result, input);
    } catch (error) {
      return failed(error, input);
    }
  };
}

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  // Some libraries (arktype) make their schemas callable.
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard = (schema as Partial<StandardSchema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

type StandardAnswer = Awaited<ReturnType<StandardSchema["~standard"]["validate"]>>;

function toResult(result: StandardAnswer, input: Json): ValidationResult {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, 20).map((issue) => toIssue(issue, input)) };
}

function toIssue(issue: StandardIssue, input: Json): ValidationIssue {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const path = pathOf(keys.map((key) => (typeof key === "symbol" ? String(key) : key)));
  const received = describeValue(valueAt(input, keys));
  const text = issue.message.slice(0, 300);
  // zod and valibot say it in their own sentence; taken apart, all issues read alike.
  const expected = /\bexpected (.+?)(?:,? (?:but )?received .*)?$/i.exec(text)?.[1];
  if (expected !== undefined) return issueAt(path, expected, received);
  return { path, expected: text, received, message: `${path}: ${text} (received ${received})` };
}

function failed(error: unknown, input: Json): ValidationResult {
  const expected = "a schema that can check this value";
  const received = describeValue(input);
  const message = `$: the tool's schema failed while checking the input: ${describeThrown(error)}`;
  return { ok: false, undecided: true, issues: [{ path: "$", expected, received, message }] };
}

function freeze(schema: unknown): ReturnType<typeof toJsonSchema> {
  if (typeof schema === "boolean") return { ok: true, schema };
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return {
      ok: false,
      message: "expected a Standard Schema (such as zod), a JSON Schema object, true or false",
    };
  }
  const taken = takeJson(schema, { maxDepth: 300, maxBytes: 1024 * 1024 });
  if (!taken.ok) return { ok: false, message: `it is not plain JSON at ${taken.path}: ${taken.message}` };
  return { ok: true, schema: taken.value as JsonSchema };
}

function vendorOf(vendor: unknown): string {
  return typeof vendor === "string" ? vendor.slice(0, 40) : "Standard";
}

function describeThrown(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}

function isClosed(schema: JsonSchema): boolean {
  return (
    typeof schema === "object" &&
    schema.type === "object" &&
    schema.additionalProperties === false &&
    schema.patternProperties === undefined
  );
}
