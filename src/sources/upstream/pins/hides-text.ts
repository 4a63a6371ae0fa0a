/** Finds text in a definition that a model reads and a person does not see. */
import type { JsonObject } from "../../../core/input/json.ts";

/**
 * Control characters, what turns the direction of text, tags, blanks without width, private use, halves of
 * characters. What languages and emoji need (joiners, marks of direction, variation selectors) is left alone:
 * it would hide most servers of some countries.
 */
const hidden =
  /[[\p{Cc}\p{Co}\p{Cs}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{200B}\u{2060}-\u{2064}\u{FEFF}\u{E0000}-\u{E0FFF}]--[\n\r\t]]/v;

export function hidesText(value: JsonObject | string): boolean {
  if (typeof value === "string") return hidden.test(value);
  let found = false;
  JSON.stringify(value, (key, part: unknown) => {
    found ||= hidden.test(key) || (typeof part === "string" && hidden.test(part));
    return part;
  });
  return found;
}
