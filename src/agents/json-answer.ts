/** Pieces of an answer in JSON. What holds no text is not said: some agents take an empty field for a mistake. */
import type { JsonObject } from "../core/input/json.ts";
import { type HookAnswer, silence } from "./agent-hook.ts";

/** Nothing to say stays nothing. */
export function sayJson(output: JsonObject): HookAnswer {
  return Object.keys(output).length === 0 ? silence : { ...silence, stdout: `${JSON.stringify(output)}\n` };
}

/** One member with all texts, or none. */
export function joined(key: string, texts: readonly string[], separator = "\n\n"): JsonObject {
  const text = texts.filter(hasText).join(separator);
  return text === "" ? {} : { [key]: text };
}

export function hasText(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
