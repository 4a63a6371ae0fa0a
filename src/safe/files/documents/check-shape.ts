/** Compares a value with a file format and names each misfit once, in the words of people who write YAML. */
import type { Json, JsonObject } from "../../../core/input/json.ts";
import { type UnknownKey, unknownKeys } from "../../../core/input/unknown-keys.ts";
import { durationFor, durationPattern, shownMinimum } from "../../../core/text/duration.ts";
import type { Path } from "./read-yaml.ts";
import type { SchemaPart, SchemaType } from "./schema-part.ts";
import { describe, describeTypes, expectedChoice, hintFor, inWords, listHint } from "./shape-words.ts";

export interface ShapeProblem {
  readonly path: Path;
  /** Whether the key or the value is wrong. */
  readonly part: "key" | "value";
  /** Without the path: who tells it names the place. */
  readonly reason: string;
  /** Without a word of the file. Undefined: nobody has said what may be told. */
  readonly plain?: string | undefined;
  /** The format has no such key. */
  readonly unknownKey?: true;
}

/** More of them help nobody; a file of a hundred thousand mistakes must not cost as many answers. */
export const maxProblems = 50;

/** What a format says where a schema has no words. */
export interface ShapeWords {
  /** Of a text that does not match its pattern. */
  readonly mismatch: (given: string) => string;
  readonly emptyList: string;
}

const rulesWords: ShapeWords = {
  mismatch: (given) => `${describe(given)} is not one tool's name${listHint(given)}`,
  emptyList: "is an empty list, so the rule could never hold.",
};

const durationHint = "write it as 500ms, 90s, 5m, 1h or 30d, or as a whole number without quotes.";

/** At most `maxProblems`. */
export function checkShape(
  value: Json,
  schema: SchemaPart,
  { mismatch, emptyList }: ShapeWords = rulesWords,
): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const add = (problem: ShapeProblem): void => {
    if (problems.length < maxProblems) problems.push(problem);
  };
  const problem = (path: Path, part: "key" | "value", reason: string, plain?: string): void =>
    add({ path, part, reason, plain });
  const wrong = (path: Path, reason: string, plain?: string): void => problem(path, "value", reason, plain);
  check(value, schema, []);
  return problems;

  /** What has the wrong type is not looked into: one mistake, one problem. */
  function check(given: Json, written: SchemaPart, path: Path): void {
    const part = choose(resolve(written), given);
    if (part.enum !== undefined) {
      if (!part.enum.some((one) => one === given))
        wrong(path, expectedChoice(part.enum, given), `expected ${inWords(part.enum.map(String), "or")}.`);
      return;
    }
    const types = typesOf(part);
    if (types.length > 0 && !types.some((type) => isOfType(given, type))) {
      const isDuration = part.pattern === durationPattern;
      const expected = `expected ${isDuration ? "a duration or a whole number" : describeTypes(types)}`;
      const hint = isDuration ? "." : hintFor(types, given);
      wrong(path, `${expected}, received ${describe(given)}${hint}`, `${expected}.`);
    } else if (typeof given === "string") checkText(given, part, path);
    else if (typeof given === "number") {
      const least = `must be ${part.minimum} or more`;
      if (part.minimum !== undefined && given < part.minimum)
        wrong(path, `${least}, not ${given}.`, `${least}.`);
    } else if (Array.isArray(given)) checkList(given, part, path);
    else if (typeof given === "object" && given !== null) checkMembers(given as JsonObject, part, path);
  }

  function checkText(given: string, part: SchemaPart, path: Path): void {
    if (given.length < (part.minLength ?? 0)) wrong(path, "must not be empty.");
    else if (isLonger(given, part.maxLength)) wrong(path, `is longer than ${part.maxLength} characters.`);
    else if (part.pattern === durationPattern) checkDuration(given, part, path);
    else if (part.pattern !== undefined && !new RegExp(part.pattern, "u").test(given))
      wrong(path, mismatch(given));
  }

  function checkDuration(given: string, { minimum = 0 }: SchemaPart, path: Path): void {
    const key = String(path.at(-1));
    const value = durationFor(key, given);
    const least = `must be ${shownMinimum(key, minimum)} or more`;
    if (value === undefined)
      wrong(
        path,
        `${describe(given)} is not a duration; ${durationHint}`,
        `expected a duration; ${durationHint}`,
      );
    else if (value < minimum) wrong(path, `${least}, not ${describe(given)}.`, `${least}.`);
  }

  function checkList(given: readonly Json[], part: SchemaPart, path: Path): void {
    if (given.length < (part.minItems ?? 0)) wrong(path, emptyList);
    if (part.items !== undefined)
      for (const [index, item] of given.entries()) {
        if (problems.length >= maxProblems) return;
        check(item, part.items, [...path, index]);
      }
  }

  function checkMembers(given: JsonObject, part: SchemaPart, path: Path): void {
    const { properties = {}, required = [], additionalProperties, propertyNames } = part;
    const strangers = additionalProperties === false ? findStrangers(given, properties) : [];
    const unknown = new Map(strangers.map(({ key, instead }) => [key, `unknown key; ${instead}`]));
    // A misspelt key is one mistake: what it was meant to be is not missing as well.
    const meant = new Set(strangers.map((stranger) => stranger.meant));
    const missing = required.filter((key) => !Object.hasOwn(given, key) && !meant.has(key));
    const needed = `needs ${inWords(missing, "and")}.`;
    if (missing.length > 0) problem(path, "key", needed, needed);
    for (const [key, member] of Object.entries(given)) {
      if (problems.length >= maxProblems) return;
      const reason = unknown.get(key);
      const inside = [...path, key];
      if (reason !== undefined) add({ path: inside, part: "key", reason, plain: reason, unknownKey: true });
      else if (Object.hasOwn(properties, key)) check(member, properties[key] as SchemaPart, inside);
      else {
        const before = problems.length;
        if (propertyNames !== undefined) checkName(key, propertyNames, inside);
        if (problems.length === before && typeof additionalProperties === "object")
          check(member, additionalProperties, inside);
      }
    }
  }

  function checkName(key: string, part: SchemaPart, path: Path): void {
    if (key.length < (part.minLength ?? 0)) problem(path, "key", "the name must not be empty.");
    if (isLonger(key, part.maxLength))
      problem(path, "key", `the name is longer than ${part.maxLength} characters.`);
  }

  function resolve(part: SchemaPart): SchemaPart {
    const target = part.$ref === undefined ? undefined : schema.$defs?.[part.$ref.slice("#/$defs/".length)];
    return target ?? part;
  }

  /** Of several forms the one that fits the value's type or tag; none fits: all of them, for the message. */
  function choose(part: SchemaPart, given: Json): SchemaPart {
    if (part.oneOf === undefined) return part;
    const forms = part.oneOf.map(resolve);
    const fitting = forms.filter((form) => typesOf(form).some((type) => isOfType(given, type)));
    if (fitting.length > 1) return chooseByTag(fitting, given as JsonObject);
    return fitting[0] ?? { type: forms.flatMap(typesOf) };
  }
}

/** Objects tell themselves apart by a key `type` that each form fixes to a word of its own. */
function chooseByTag(forms: readonly SchemaPart[], given: JsonObject): SchemaPart {
  const tagOf = (form: SchemaPart) => form.properties?.type?.enum?.[0];
  const tags = forms.map(tagOf).filter((tag) => tag !== undefined);
  const chosen = Object.hasOwn(given, "type") ? forms.find((form) => tagOf(form) === given.type) : undefined;
  return chosen ?? { type: "object", properties: { type: { enum: tags } }, required: ["type"] };
}

/** Keys that the format does not know, as many as will be told. */
function findStrangers(given: JsonObject, properties: Readonly<Record<string, SchemaPart>>): UnknownKey[] {
  const keys = Object.keys(given).filter((key) => !Object.hasOwn(properties, key));
  const told = Object.fromEntries(keys.slice(0, maxProblems).map((key) => [key, true]));
  return unknownKeys(told, Object.keys(properties));
}

/** As JSON Schema counts: in characters, not in halves of them. */
function isLonger(text: string, maxLength: number | undefined): boolean {
  return maxLength !== undefined && text.length > maxLength && [...text].length > maxLength;
}

function typesOf({ type }: SchemaPart): readonly SchemaType[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function isOfType(value: Json, type: SchemaType): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
