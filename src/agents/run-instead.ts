/** For agents that take no new input from a hook: what a rule made of the call, as advice to try again. */
import type { JsonObject } from "../core/input/json.ts";
import { visible } from "../core/text/visible.ts";

export function runInstead(asked: JsonObject, input: JsonObject): string {
  const changed = Object.keys(input).filter((key) => input[key] !== asked[key]);
  const [only = ""] = changed;
  const text = changed.length === 1 && typeof input[only] === "string" ? input[only] : JSON.stringify(input);
  return visible(`A rule changes this call; run this instead: ${text as string}`, { keepNewlines: true });
}

/** A field that the call did not have is one that its tool may not know: then it would run what it asked for. */
export function addsFields(asked: JsonObject, input: JsonObject): boolean {
  return Object.keys(input).some((name) => !Object.hasOwn(asked, name));
}
