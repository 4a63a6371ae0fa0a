/** The input of a call that was typed in, as a question about it would keep it: without secrets. */
import { isJsonObject, type Json } from "../../../core/input/json.ts";
import { redact } from "../../../safe/redact/redact.ts";

/** `clean` also takes out the secrets that the store knows. Before anything is taken apart: a word of a command alone looks harmless. */
export function cleanInput(input: Json, clean: ((text: string) => string) | undefined): Json {
  const { value } = redact(input);
  return clean === undefined ? value : eachText(value, clean);
}

function eachText(value: Json, clean: (text: string) => string): Json {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, clean));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachText(one, clean)]));
}
