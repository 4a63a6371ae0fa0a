/** Where Codex keeps its files. */
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentPlace } from "../agent.ts";
import type { ScopedPlace } from "../set-up/set-up-agent.ts";

/** Codex follows a link in its variable, but not one at the usual place: names of trusted hooks begin so. */
export function codexHome({ home, env }: AgentPlace): string {
  const { CODEX_HOME: said = "" } = env;
  if (said === "") return resolve(home, ".codex");
  try {
    return realpathSync(said);
  } catch {
    return resolve(said);
  }
}

export function hooksFile(place: ScopedPlace): string {
  const folder = place.scope === "user" ? codexHome(place) : join(place.projectDir, ".codex");
  return join(folder, "hooks.json");
}

/** What the user says in it also holds for hooks of projects. */
export function userConfig(place: AgentPlace): string {
  return join(codexHome(place), "config.toml");
}
