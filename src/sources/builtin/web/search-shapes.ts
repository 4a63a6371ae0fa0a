/** The inputs of other agents' search tools in the shape of ours. */
import type { Json, JsonObject } from "../../../core/input/json.ts";

export function fromOtherSearches(input: JsonObject): JsonObject | string {
  // How OpenCode's service searches is its own affair.
  const { livecrawl: _crawl, type: _type, contextMaxCharacters: _most, ...asked } = input;
  const { allowed_domains: allowed, prompt: _prompt, ...rest } = asked;
  const adapted: Record<string, Json> = { ...rest };
  if (Array.isArray(allowed) && allowed.length > 0 && rest.site === undefined) {
    if (allowed.length > 1) return "one site at a time: give it as site, and call again for the next";
    adapted.site = allowed[0] as Json;
  } else if (allowed !== undefined && allowed !== null && !Array.isArray(allowed))
    adapted.allowed_domains = allowed;
  return adapted;
}
