/** What install and uninstall ask every agent with: where, for whom, and whether it may be done at all. */
import type { SetupRequest, SetupScope } from "../../../../agents/agent-setup.ts";
import { withoutSession } from "../../../../agents/all-agents.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { explainForPeople } from "../../agent-around.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { AgentChoice } from "./choose-agents.ts";

export interface SetupOptions extends AgentChoice {
  readonly scope?: SetupScope | undefined;
  readonly dryRun?: boolean | undefined;
}

/** A text: why it cannot be done. */
export function readSetup(
  { scope = "user", dryRun }: SetupOptions,
  what: string,
  io: CliIo,
): SetupRequest | string {
  const refused = dryRun === true ? undefined : explainForPeople(what, io);
  if (refused !== undefined) return refused;
  if (!isScope(scope)) return `The scope ${JSON.stringify(scope)} is unknown: it is user, project or local.`;
  const { home } = findFolders(io.env);
  const { folder: projectDir } = findProject(io.cwd, home);
  if (scope !== "user" && projectDir === home)
    return "The home folder is no project. Go into one, or install for all sessions with --scope user.";
  // A person who stands in a folder asks: what an agent's session says about its own folder does not count.
  const env = withoutSession(io.env);
  return { home, env, projectDir, scope, ...(dryRun === true && { dryRun }) };
}

function isScope(scope: string): scope is SetupScope {
  return ["user", "project", "local"].includes(scope);
}
