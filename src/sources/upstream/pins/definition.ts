/** What counts of an upstream tool's definition: all that a model, a person or a client may act on. */
import { canonicalJson } from "../../../core/input/canonical-json.ts";
import { fingerprint } from "../../../core/input/fingerprint.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { ToolPin } from "../../../core/ports/pins.ts";

export function pinOf(name: string, listed: JsonObject): ToolPin {
  const definition = whatCounts(listed);
  return { name, digest: fingerprint(definition), definition };
}

/** All of it, also keys that nobody knows yet: what is not looked at is where the next trick hides. */
function whatCounts(listed: JsonObject): JsonObject {
  const { _meta: meta, ...definition } = listed;
  if (meta === undefined || !isJsonObject(meta)) return definition;
  const kept = Object.entries(meta).filter(([key]) => !passing.has(key));
  return kept.length === 0 ? definition : { ...definition, _meta: Object.fromEntries(kept) };
}

/** What belongs to one answer and not to the tool. */
const passing = new Set(["progressToken", "traceparent", "tracestate", "baggage"]);

export function textDigest(text: string): string {
  return fingerprint(text);
}

/** For a person: one key per line, in the order of the alphabet, so that two can be compared line by line. */
export function readableDefinition(definition: JsonObject): string {
  return JSON.stringify(sorted(definition), null, 2);
}

function sorted(value: Json): Json {
  return JSON.parse(canonicalJson(value)) as Json;
}
