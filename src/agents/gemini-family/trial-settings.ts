/** The person's settings for a try of the agent in a home of its own: their hooks as they are, no servers, no account. */
import { join } from "node:path";
import { isRecord, type JsonObject } from "../../core/input/json.ts";
import type { ClientTrial, TrialFile } from "../agent-client.ts";
import { type Family, readSettingsFile } from "./settings-files.ts";

/** Where they lie in the trial's folder. */
export const trialHome = "home";
const systemFile = "system-settings.json";

/** `must`: what counts more than everything that the person's and the project's settings say. */
export function trialFiles(family: Family, { place }: ClientTrial, must: JsonObject): TrialFile[] {
  const own = readSettingsFile(join(family.configDir(place), "settings.json"));
  const { mcpServers: _, ...kept } = isRecord(own) ? own : {};
  return [
    { path: join(trialHome, family.folder, "settings.json"), text: JSON.stringify(kept) },
    { path: systemFile, text: JSON.stringify(must) },
  ];
}

/** Leads the agent to them. An administrator's own settings are not part of the try. */
export function trialVariables(family: Family, { folder }: ClientTrial): Record<string, string> {
  return { [family.systemVariables.settings]: join(folder, systemFile) };
}

/** None has this name. */
export const noServers: readonly string[] = ["--allowed-mcp-server-names", "toolgate-doctor"];
