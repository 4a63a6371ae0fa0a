/** What is left of a file without the parts that have a wrong shape: more can be said about that. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";

/** Undefined: nothing is left to look at. A rule goes alone, of everything else the whole section. */
export function withoutMisshapen(value: Json, problems: readonly ShapeProblem[]): JsonObject | undefined {
  let left: JsonObject | undefined = isJsonObject(value) ? value : undefined;
  for (const { path } of problems) left = left && without(left, ruleOf(path));
  return left;
}

const ruleSections = ["routes", "policies", "limits"];

/** The rule that a place is in, else its section. */
function ruleOf([section, name, hook]: ShapeProblem["path"]): readonly (string | number)[] {
  if (section === undefined) return [];
  if (ruleSections.includes(String(section)) && name !== undefined) return [section, name];
  if (section === "hooks" && name === "commands" && hook !== undefined) return [section, name, hook];
  return [section];
}

function without(value: JsonObject, [key, ...path]: readonly (string | number)[]): JsonObject | undefined {
  if (key === undefined) return undefined;
  const { [key]: part, ...others } = value;
  if (path.length === 0) return others;
  // The places of a list are numbers, which must not move: it goes as a whole.
  const left = part !== undefined && isJsonObject(part) ? without(part, path) : undefined;
  return left === undefined ? others : { ...value, [key]: left };
}
