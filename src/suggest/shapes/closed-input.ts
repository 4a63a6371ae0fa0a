/** The fields of an input, so that a rule can say that there are no others. */
import type { JsonObject } from "../../core/input/json.ts";
import { wordSet } from "../../core/text/words.ts";
import type { Condition } from "../../rules/conditions/condition.ts";

export interface ClosedInput {
  readonly keys: readonly string[];
  /** Those that are neither the place nor a text, with the value that was seen. */
  readonly pinned: Readonly<Record<string, string | number | boolean>>;
}

/** A name or a number: nothing that could carry a text away. */
export const plainText = /^[A-Za-z0-9_][\w.:#-]{0,59}$/;

/** What is written into a file or must lie there before, and what an agent asks its own model about a page. */
export const freeTexts = wordSet(
  "content contents file_text insert_text old_string new_string oldString newString old_str new_str expected_sha256 prompt description",
);

/** Undefined: it holds what no rule could close, such as a list with paths of its own. */
export function closeInput(input: JsonObject, places: readonly string[]): ClosedInput | undefined {
  const pinned: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries(input)) {
    if (!/^\w{1,60}$/.test(key)) return undefined;
    const isText = typeof value === "string";
    if (isText && (places.includes(value) || freeTexts.has(key))) continue;
    if (isText ? !plainText.test(value) : typeof value !== "number" && typeof value !== "boolean")
      return undefined;
    pinned[key] = value as string | number | boolean;
  }
  return { keys: Object.keys(input).sort(), pinned };
}

export function closedConditions({ keys, pinned }: ClosedInput): Condition[] {
  return [
    { type: "argument", field: ".", operator: "keys", value: keys.join(" ") },
    ...Object.entries(pinned)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([field, value]): Condition => ({ type: "argument", field, operator: "equals", value })),
  ];
}
