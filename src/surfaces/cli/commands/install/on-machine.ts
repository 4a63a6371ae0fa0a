/** Which agents are on this machine: their program is on the PATH, or their folder is in the home. */
import { statSync } from "node:fs";
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentSetup, ProjectPlace } from "../../../../agents/agent-setup.ts";
import { allAgents } from "../../../../agents/all-agents.ts";
import { findCommand } from "../../../../safe/process/find-command.ts";
import type { CliIo } from "../../terminal/io.ts";

export interface KnownAgent {
  readonly agent: AgentAdapter;
  readonly setup: AgentSetup;
}

export function loadAgents(agents: readonly AgentAdapter[] = allAgents): Promise<readonly KnownAgent[]> {
  return Promise.all(agents.map(async (agent) => ({ agent, setup: await agent.loadSetup() })));
}

export function isOnMachine({ signs }: AgentSetup, place: ProjectPlace, io: CliIo): boolean {
  return (
    signs.programs.some((name) => findCommand(name, io.env.PATH, io.cwd) !== undefined) ||
    signs.folders(place).some(isFolder)
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
