/**
 * Crush reads the input of its own tools without regard to capital letters (as Go does), and of two fields that it takes
 * for the same one the last counts: `{"Command": ...}` runs. Rules know fields by their exact names.
 */
import type { JsonObject } from "../../core/input/json.ts";

/** A field, at any depth, that Crush may take for another one. All fields of its own tools are in small letters. */
export function findLooseKey(input: JsonObject): string | undefined {
  const open: unknown[] = [input];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    const loose = names.find((name) => !/^[a-z0-9_]*$/.test(name));
    if (loose !== undefined) return loose;
    open.push(...Object.values(value).filter((one) => one !== undefined));
  }
  return undefined;
}
