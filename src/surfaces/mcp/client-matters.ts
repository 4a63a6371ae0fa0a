/** What matters of the parameters of `initialize`: a session is kept for long, and a client may say megabytes about itself. */
import type { Json, JsonObject } from "../../core/json.ts";
import { isLegacyVersion, newestLegacy } from "../../mcp/eras.ts";
import { isObject } from "../../mcp/messages.ts";

export interface ClientMatters extends JsonObject {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

export function whatMatters(params: unknown): ClientMatters {
  const { protocolVersion, capabilities, clientInfo } = isObject(params) ? params : {};
  const { elicitation } = isObject(capabilities) ? capabilities : {};
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  return {
    protocolVersion: isLegacyVersion(protocolVersion) ? (protocolVersion as string) : newestLegacy,
    capabilities: isObject(elicitation) ? { elicitation: kindsOf(elicitation) } : {},
    clientInfo: { name: short(name), version: short(version) },
  };
}

function kindsOf(elicitation: JsonObject): JsonObject {
  return Object.fromEntries(
    ["form", "url"].filter((kind) => isObject(elicitation[kind])).map((kind) => [kind, {}]),
  );
}

const maxCharacters = 100;

function short(value: Json | undefined): string {
  if (typeof value !== "string") return "";
  // A part of a text keeps the whole of it in memory; one that was written anew does not.
  return value.length <= maxCharacters ? value : JSON.parse(JSON.stringify(value.slice(0, maxCharacters)));
}
