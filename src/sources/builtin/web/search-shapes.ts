/** The inputs of other agents' search tools in the shape of ours. */
import type { Json, JsonObject } from "../../../core/json.ts";

export function fromOtherSearches(input: JsonObject): JsonObject | string {
  const { allowed_domains: allowed, prompt: _prompt, ...rest } = input;
  const adapted: Record<string, Json> = { ...rest };
  if (Array.isArray(allowed) && allowed.length > 0 && rest.site === undefined) {
    if (allowed.length > 1) return "one site at a time: give it as site, and call again for the next";
    adapted.site = allowed[0] as Json;
  } else if (allowed !== undefined && allowed !== null && !Array.isArray(allowed))
    adapted.allowed_domains = allowed;
  return adapted;
}
