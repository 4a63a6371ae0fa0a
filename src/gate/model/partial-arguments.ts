/** Arguments that a model is still writing: as much of the JSON as can be read by now. */
import { JSON_LIMITS, parseJson } from "../../safe/schema/json-guard.ts";

/** What cannot be read stays a text, which the gate refuses. */
export async function readPartialArguments(text: string, complete: boolean): Promise<unknown> {
  if (complete) {
    const parsed = parseJson(text.trim() === "" ? "{}" : text);
    return parsed.ok ? parsed.value : text;
  }
  if (text.length > JSON_LIMITS.maxBytes) return text;
  const { parse } = await import("jsonc-parser");
  try {
    return parse(text.replace(halfCharacter, ""), [], { disallowComments: true }) ?? {};
  } catch {
    // It was nested too deeply for the parser.
    return text;
  }
}

/** At the end of what is there: the first half of a character of two halves, raw or as `\ud83d`. */
const halfCharacter = /(?:[\ud800-\udbff]|\\ud[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?)$/i;
