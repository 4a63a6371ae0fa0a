/** A schema that shows one name for each field and also takes the names of other agents. */
import { ToolgateError } from "../../core/call/errors.ts";
import type { InputShapes } from "../../core/input/input-shapes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type {
  InferInput,
  InferOutput,
  StandardIssue,
  StandardResult,
  StandardSchema,
  ValidationIssue,
  ValidationResult,
} from "../../core/tool/schema.ts";
import { compileJsonSchema } from "../../safe/schema/json-schema.ts";

export interface InputSchema {
  readonly type: "object";
  readonly properties: { readonly [field: string]: { readonly [keyword: string]: unknown } };
  readonly required?: readonly string[];
  readonly additionalProperties: false;
  readonly [keyword: string]: unknown;
}

export type Synonyms<In extends InputSchema> = {
  readonly [Field in keyof In["properties"]]?: readonly string[];
};

/** The other names stay readable for the page that documents the tools. */
export interface SchemaWithSynonyms<Input = unknown, Output = Input> extends StandardSchema<Input, Output> {
  readonly synonyms: { readonly [field: string]: readonly string[] | undefined };
  readonly shapes: InputShapes;
}

export interface WrittenInput<In extends InputSchema> {
  /** Of the tool, for messages. */
  readonly id: string;
  readonly schema: In;
  readonly synonyms: Synonyms<In>;
  readonly adapt?: ((input: JsonObject) => JsonObject | string) | undefined;
  readonly shapes: InputShapes;
}

export function schemaWithSynonyms<In extends InputSchema>(
  written: WrittenInput<In>,
): SchemaWithSynonyms<InferInput<In>, InferOutput<In>> {
  const { id, schema, synonyms, adapt, shapes } = written;
  let check: ((value: Json) => ValidationResult) | undefined;
  // Of fifty tools a process calls a few, and the schemas are our own.
  const compile = () => {
    const compiled = compileJsonSchema(schema);
    if (!compiled.ok) throw new ToolgateError(`${id}: its input schema cannot be used: ${compiled.message}`);
    return compiled.validate;
  };
  const fieldOf = readSynonyms(id, schema, synonyms);
  const validate = (value: unknown): StandardResult<InferOutput<In>> => {
    if (!isJsonObject(value as Json)) return { issues: [{ message: "expected an object" }] };
    const renamed = rename(value as JsonObject, fieldOf);
    if (!renamed.ok) return { issues: renamed.issues };
    const adapted = adapt === undefined ? renamed.input : adapt(renamed.input);
    if (typeof adapted === "string") return { issues: [{ message: adapted }] };
    check ??= compile();
    const result = check(withoutEmpty(withoutRemarks(adapted, schema), schema));
    if (result.ok) return { value: result.value as InferOutput<In> };
    return { issues: result.issues.map((issue) => toStandardIssue(issue, renamed.written)) };
  };
  const show = () => schema as Record<string, unknown>;
  const jsonSchema = { input: show, output: show };
  return { synonyms, shapes, "~standard": { version: 1, vendor: "toolgate", validate, jsonSchema } };
}

function readSynonyms(id: string, schema: InputSchema, synonyms: Synonyms<InputSchema>): Map<string, string> {
  const fieldOf = new Map<string, string>();
  for (const [field, names] of Object.entries(synonyms)) {
    if (!Object.hasOwn(schema.properties, field))
      throw new ToolgateError(`${id}: synonyms are given for "${field}", which is not a field of its input.`);
    for (const name of names ?? []) {
      if (fieldOf.has(name) || Object.hasOwn(schema.properties, name))
        throw new ToolgateError(`${id}: "${name}" would stand for two fields.`);
      fieldOf.set(name, field);
    }
  }
  return fieldOf;
}

type Renamed =
  | { readonly ok: true; readonly input: JsonObject; readonly written: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly issues: readonly StandardIssue[] };

/** Two names for one field with two values: which one was meant must not be a guess. */
function rename(input: JsonObject, fieldOf: ReadonlyMap<string, string>): Renamed {
  const written = new Map<string, string>();
  const members: [string, Json][] = [];
  const issues: StandardIssue[] = [];
  for (const [name, value] of Object.entries(input)) {
    const field = fieldOf.get(name) ?? name;
    const before = written.get(field);
    if (before === undefined) {
      written.set(field, name);
      members.push([field, value]);
    } else if (JSON.stringify(input[before]) !== JSON.stringify(value)) {
      issues.push({
        path: [name],
        message: `expected one value for "${field}", but "${before}" says another`,
      });
    }
  }
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, input: Object.fromEntries(members), written };
}

/** What some agents add to the calls of every tool: their checklist, and why they call. */
const remarks = ["task_progress", "explanation"];

function withoutRemarks(input: JsonObject, { properties }: InputSchema): JsonObject {
  const isRemark = (name: string) => remarks.includes(name) && !Object.hasOwn(properties, name);
  if (!remarks.some((name) => Object.hasOwn(input, name))) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isRemark(name)));
}

/** Models that must fill in every field send null for those they leave out. */
function withoutEmpty(input: JsonObject, { properties, required = [] }: InputSchema): JsonObject {
  const isEmpty = ([name, value]: [string, Json]) =>
    value === null &&
    Object.hasOwn(properties, name) &&
    !required.includes(name) &&
    ![properties[name]?.type].flat().includes("null");
  const members = Object.entries(input);
  return members.some(isEmpty) ? Object.fromEntries(members.filter((member) => !isEmpty(member))) : input;
}

/** The issue under the name that the caller wrote, so that what it reads about is what it sent. */
function toStandardIssue(issue: ValidationIssue, written: ReadonlyMap<string, string>): StandardIssue {
  const [first, ...rest] = keysOf(issue.path);
  const path = first === undefined ? [] : [written.get(String(first)) ?? first, ...rest];
  return { path, message: `expected ${issue.expected}` };
}

/** `$.files[0]["a b"]` taken apart again. */
function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\.([\w$]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"?\u2026?\]/g)].map(
    ([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? "") : Number(index)),
  );
}
