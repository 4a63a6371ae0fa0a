/** What is kept of the parameters of `initialize`: a client may say megabytes about itself. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { isLegacyVersion, newestLegacy } from "../../mcp/eras.ts";

export interface ClientInfo extends JsonObject {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

export function trimClientInfo(params: unknown): ClientInfo {
  const { protocolVersion, capabilities, clientInfo } = isJsonObject(params) ? params : {};
  const { elicitation } = isJsonObject(capabilities) ? capabilities : {};
  const { name, version } = isJsonObject(clientInfo) ? clientInfo : {};
  return {
    protocolVersion: isLegacyVersion(protocolVersion) ? (protocolVersion as string) : newestLegacy,
    capabilities: isJsonObject(elicitation) ? { elicitation: kindsOf(elicitation) } : {},
    clientInfo: { name: short(name), version: short(version) },
  };
}

function kindsOf(elicitation: JsonObject): JsonObject {
  return Object.fromEntries(
    ["form", "url"].filter((kind) => isJsonObject(elicitation[kind])).map((kind) => [kind, {}]),
  );
}

const maxCharacters = 100;

function short(value: Json | undefined): string {
  if (typeof value !== "string") return "";
  // A part of a text keeps the whole of it in memory; one that was written anew does not.
  return value.length <= maxCharacters ? value : JSON.parse(JSON.stringify(value.slice(0, maxCharacters)));
}
