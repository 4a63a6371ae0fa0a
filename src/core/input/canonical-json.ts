/** One text per JSON value, whatever the order of its keys (RFC 8785): a hash names the value alone. */

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
  for (const key of sortedKeys(object)) {
    text += `${text.length > 1 ? "," : ""}${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`;
  }
  return `${text}}`;
}

/** By UTF-16 code units, as RFC 8785 asks for and the default sort does. Most objects are in order. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  return keys;
}

const maxDepth = 8;

/** Whether JSON.stringify writes the same text. False also for what is deep or longer than the room. */
export function isShortCanonical(value: Json, room: { left: number }, depth = 0): boolean {
  if (typeof value === "string") {
    room.left -= value.length;
    return room.left >= 0;
  }
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (!isShortCanonical(item, room, depth + 1)) return false;
    return true;
  }
  let before = "";
  for (const key of Object.keys(value)) {
    const member = (value as JsonObject)[key] as Json;
    if (key < before || key === "toJSON" || !isShortCanonical(member, room, depth + 1)) return false;
    before = key;
  }
  return true;
}
