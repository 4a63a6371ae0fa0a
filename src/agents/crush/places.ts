/** Where Crush keeps its settings, by its documentation: the person's, and a project's under two names. */
import { join } from "node:path";
import type { AgentPlace } from "../agent.ts";

export function crushUserFile({ home, env }: AgentPlace): string {
  const { XDG_CONFIG_HOME: moved = "" } = env;
  return join(moved.startsWith("/") ? moved : join(home, ".config"), "crush", "crush.json");
}

export function crushProjectFiles(projectDir: string): readonly string[] {
  return [join(projectDir, ".crush.json"), join(projectDir, "crush.json")];
}

export function crushFiles(place: AgentPlace, cwd: string | undefined): readonly string[] {
  const folder = place.projectDir ?? cwd;
  return [crushUserFile(place), ...(folder === undefined ? [] : crushProjectFiles(folder))];
}
