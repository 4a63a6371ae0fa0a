/** One text per JSON value, whatever the order of its keys (RFC 8785), so that a hash names the value and nothing else. */

import type { Json, JsonObject } from "./json.ts";

export function canonicalJson(value: Json): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return value === null ? "null" : scalar(value);
  return Array.isArray(value) ? list(value) : record(value as JsonObject);
}

function scalar(value: number | boolean): string {
  // NaN and Infinity are no JSON; writing them as null would give two values one hash.
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`${value} is not a JSON number`);
  return Object.is(value, -0) ? "0" : String(value);
}

function list(items: readonly Json[]): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ",";
    text += canonicalJson(items[index] as Json);
  }
  return `${text}]`;
}

function record(object: JsonObject): string {
  let text = "{";
  // The default sort compares UTF-16 code units, which is the order RFC 8785 asks for.
  for (const key of Object.keys(object).sort()) {
    text += `${text.length > 1 ? "," : ""}${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`;
  }
  return `${text}}`;
}
