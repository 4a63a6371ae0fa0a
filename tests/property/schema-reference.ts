/** JSON Schema (2020-12 and draft-07) word by word, slow and plain: what the real validator is compared with. */

import type { Json, JsonObject } from "../../src/core/input/json.ts";

type Schema = JsonObject | boolean;

/** What was evaluated of the value; undefined = not valid. */
interface Evaluated {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

export function isValid(schema: JsonObject, value: Json, draft07: boolean): boolean {
  const check = (part: Json | undefined, of: Json): Evaluated | undefined => {
    if (part === false) return undefined;
    const seen: Evaluated = { names: new Set(), items: new Set() };
    if (part === true || part === undefined) return seen;
    const words = part as JsonObject;
    if (typeof words.$ref === "string") {
      const target = words.$ref
        .split("/")
        .slice(1)
        .reduce<Json>((from, key) => (from as JsonObject)[key] as Json, schema);
      const found = check(target, of);
      if (draft07 || !found) return found;
      keep(seen, [found]);
    }
    if (!plainWordsHold(words, of)) return undefined;
    if (!branchesHold(words, of, seen, check)) return undefined;
    if (Array.isArray(of)) return itemsHold(words, of, seen, { check, draft07 }) ? seen : undefined;
    return !isObject(of) || membersHold(words, of, seen, { check, draft07 }) ? seen : undefined;
  };
  return check(schema, value) !== undefined;
}

type Check = (schema: Json | undefined, value: Json) => Evaluated | undefined;

function plainWordsHold(words: JsonObject, value: Json): boolean {
  const { type, enum: members, minimum, maximum, maxLength } = words;
  if (type !== undefined && ![type].flat().some((name) => typesOf(value).includes(name as string)))
    return false;
  if (Array.isArray(members) && !members.some((member) => same(member, value))) return false;
  if (Object.hasOwn(words, "const") && !same(words.const as Json, value)) return false;
  if (typeof value === "number")
    return (
      !(typeof minimum === "number" && value < minimum) && !(typeof maximum === "number" && value > maximum)
    );
  return !(typeof value === "string" && typeof maxLength === "number" && [...value].length > maxLength);
}

function branchesHold(words: JsonObject, value: Json, seen: Evaluated, check: Check): boolean {
  const held = (list: Json | undefined) =>
    ((list ?? []) as readonly Schema[])
      .map((part) => check(part, value))
      .filter((found) => found !== undefined);
  const all = held(words.allOf);
  const any = held(words.anyOf);
  const one = held(words.oneOf);
  if (Array.isArray(words.allOf) && all.length < words.allOf.length) return false;
  if (words.anyOf !== undefined && any.length === 0) return false;
  if (words.oneOf !== undefined && one.length !== 1) return false;
  if (words.not !== undefined && check(words.not, value)) return false;
  keep(seen, [...all, ...any, ...one]);
  if (words.if === undefined) return true;
  const condition = check(words.if, value);
  const branch = check(condition ? words.then : words.else, value);
  keep(seen, [condition, branch]);
  return branch !== undefined;
}

function itemsHold(
  words: JsonObject,
  value: readonly Json[],
  seen: Evaluated,
  { check, draft07 }: { readonly check: Check; readonly draft07: boolean },
): boolean {
  if (typeof words.minItems === "number" && value.length < words.minItems) return false;
  if (words.uniqueItems === true && value.some((a, i) => value.some((b, k) => i < k && same(a, b))))
    return false;
  const first = draft07 ? words.items : words.prefixItems;
  const heads = Array.isArray(first) ? (first as readonly Schema[]) : [];
  const rest = draft07 && Array.isArray(first) ? words.additionalItems : words.items;
  for (const [index, item] of value.entries()) {
    const by = index < heads.length ? heads[index] : rest;
    if (by === undefined) continue;
    if (!check(by, item)) return false;
    seen.items.add(index);
  }
  if (words.contains !== undefined) {
    const found = value.flatMap((item, index) => (check(words.contains, item) ? [index] : []));
    const least = draft07 ? 1 : ((words.minContains as number | undefined) ?? 1);
    if (found.length < least) return false;
    if (!draft07 && typeof words.maxContains === "number" && found.length > words.maxContains) return false;
    for (const index of found) seen.items.add(index);
  }
  if (draft07 || words.unevaluatedItems === undefined) return true;
  const open = value.filter((_, index) => !seen.items.has(index));
  for (const index of value.keys()) seen.items.add(index);
  return open.every((item) => check(words.unevaluatedItems, item));
}

function membersHold(
  words: JsonObject,
  value: JsonObject,
  seen: Evaluated,
  { check, draft07 }: { readonly check: Check; readonly draft07: boolean },
): boolean {
  const names = Object.keys(value);
  if (typeof words.minProperties === "number" && names.length < words.minProperties) return false;
  if (!((words.required ?? []) as string[]).every((name) => Object.hasOwn(value, name))) return false;
  if (words.propertyNames !== undefined && !names.every((name) => check(words.propertyNames, name)))
    return false;
  const dependent = { ...(words.dependentSchemas as JsonObject), ...(words.dependencies as JsonObject) };
  for (const [name, part] of Object.entries(dependent)) {
    if (!Object.hasOwn(value, name)) continue;
    const found = check(part, value);
    if (!found) return false;
    keep(seen, [found]);
  }
  const { properties = {}, patternProperties = {} } = words as Record<string, JsonObject>;
  for (const name of names) {
    const parts = Object.entries(patternProperties).flatMap(([pattern, part]) =>
      new RegExp(pattern, "u").test(name) ? [part] : [],
    );
    if (Object.hasOwn(properties, name)) parts.push(properties[name] as Json);
    if (parts.length === 0 && words.additionalProperties !== undefined)
      parts.push(words.additionalProperties);
    if (!parts.every((part) => check(part, value[name] as Json))) return false;
    if (parts.length > 0) seen.names.add(name);
  }
  if (draft07 || words.unevaluatedProperties === undefined) return true;
  const open = names.filter((name) => !seen.names.has(name));
  for (const name of names) seen.names.add(name);
  return open.every((name) => check(words.unevaluatedProperties, value[name] as Json));
}

function keep(into: Evaluated, found: readonly (Evaluated | undefined)[]): void {
  for (const part of found) {
    for (const name of part?.names ?? []) into.names.add(name);
    for (const index of part?.items ?? []) into.items.add(index);
  }
}

function typesOf(value: Json): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["number", "integer"] : [typeof value];
}

function same(a: Json, b: Json): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        Object.hasOwn(b, name) && same((a as JsonObject)[name] as Json, (b as JsonObject)[name] as Json),
    )
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
