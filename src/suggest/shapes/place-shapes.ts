/** Conditions for files by folder and ending, and for addresses by host and path. */
import { canonicalJson } from "../../core/input/canonical-json.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import type { Condition } from "../../rules/conditions/condition.ts";
import { parseFileForm } from "../../rules/conditions/file-form.ts";
import { ownerOf } from "../floor/harmless-places.ts";
import { leastValues, sharedEnd } from "./usage-of.ts";

const mostValues = 24;

/** `paths` are relative to the workspace, of one folder at the top and with one ending. */
export function fileConditions(paths: readonly string[], typed: boolean): Condition[] | undefined {
  const values = [...new Set(paths)].sort();
  if (!typed || values.length < leastValues)
    return values.length > mostValues ? undefined : [{ type: "path", operator: "equals", value: values }];
  const folder = sharedFolder(values);
  const isFlat = values.every((path) => !path.slice(folder.length).includes("/"));
  const value = `${folder}${isFlat ? "NAME" : "PATH"}${sharedEnd(values)}`;
  return typeof parseFileForm(value) === "string" ? undefined : [{ type: "path", operator: "files", value }];
}

/**
 * Of calls with the same keys those that differ in one field only, the most there are: `read a` and `drop b` do not
 * approve `drop a`.
 */
export function alikeInputs(inputs: readonly JsonObject[]): readonly JsonObject[] {
  const fields = Object.keys(inputs[0] ?? {});
  const byOthers = (free: string) => [
    ...Map.groupBy(inputs, (input) =>
      canonicalJson(Object.fromEntries(Object.entries(input).filter(([field]) => field !== free))),
    ).values(),
  ];
  let most: readonly JsonObject[] = [];
  for (const group of fields.sort().flatMap(byOthers)) if (group.length > most.length) most = group;
  return most;
}

/** All with the same keys: values that were seen, and a type where enough of them were. */
export function argumentConditions(inputs: readonly JsonObject[], typed: boolean): Condition[] | undefined {
  const keys = Object.keys(inputs[0] ?? {}).sort();
  const conditions: Condition[] = [{ type: "argument", field: ".", operator: "keys", value: keys.join(" ") }];
  for (const field of keys) {
    const values = [...new Set(inputs.map((input) => input[field]))].filter(isScalar).sort();
    const texts = values.filter((value) => typeof value === "string");
    if (typed && texts.length === values.length && values.length >= leastValues)
      conditions.push({ type: "argument", field, operator: "matches", value: namesLike(texts) });
    else if (values.length > mostValues) return undefined;
    else conditions.push({ type: "argument", field, operator: "equals", value: values });
  }
  return conditions;
}

/** Not longer than those that were seen: a long one has room for a key that somebody wants to carry away. */
function namesLike(values: readonly string[]): string {
  const longest = Math.max(...values.map(({ length }) => length));
  return `^[A-Za-z0-9_][\\w.:#-]{0,${longest - 1}}$`;
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** All of one host. */
export function urlConditions(urls: readonly URL[], typed: boolean): Condition[] | undefined {
  const values = [...new Set(urls.map(({ href }) => href))].sort();
  const [first] = urls;
  if (first === undefined) return undefined;
  const owner = ownerOf(first);
  // To another host even the path could carry something out, and another owner's page could say anything.
  const isOneOwner = owner !== undefined && urls.every((url) => ownerOf(url) === owner);
  if (!typed || values.length < leastValues || !isOneOwner)
    return values.length > mostValues ? undefined : [{ type: "url", operator: "equals", value: values }];
  const folder = sharedFolder(urls.map(({ pathname }) => pathname));
  const pattern = `^https://${escaped(first.hostname)}${escaped(folder)}[\\w~-][\\w.~-]*(?:/[\\w~-][\\w.~-]*)*/?$`;
  return [{ type: "url", operator: "matches", value: pattern }];
}

/** With a slash at its end. */
function sharedFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split("/").slice(0, -1));
  const [first = []] = folders;
  let shared = 0;
  while (shared < first.length && folders.every((folder) => folder[shared] === first[shared])) shared++;
  return first
    .slice(0, shared)
    .map((part) => `${part}/`)
    .join("");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
