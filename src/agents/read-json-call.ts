/** The JSON object that an agent sends. `form`: what to send instead, for the message. */
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import { repeatedKey } from "../core/input/json-text.ts";
import { visible } from "../core/text/visible.ts";

export type ReadJsonCall =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly message: string };

export function readJsonCall(text: string, form: string): ReadJsonCall {
  if (text.trim() === "") return refuse(`Standard input is empty. ${form}`);
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch (error) {
    return refuse(`Standard input is not valid JSON: ${shorten(visible((error as Error).message))}. ${form}`);
  }
  if (!isJsonObject(value)) return refuse(`The call must be a JSON object. ${form}`);
  const twice = repeatedKey(json, value);
  if (twice === undefined) return { ok: true, value };
  return refuse(
    `The key ${shorten(JSON.stringify(twice))} appears twice in one object: what is judged could be another call than the one that runs.`,
  );
}

export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function refuse(message: string): ReadJsonCall {
  return { ok: false, message };
}
