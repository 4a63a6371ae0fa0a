/**
 * From where the rules of a call are looked for: the project that the agent names, else the folder that the
 * call names, else the one in which the hook was started. (An agent may start its hooks in the project while a
 * call names any folder; then no call chooses its rules.) Process, server and `toolgate check` all ask here.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { HookAgent, HookInput, ServerPlace } from "../../../agents/agent-hook.ts";
import { agentVariables } from "../../../agents/all-agents.ts";
import { type Environment, findFolders } from "../../../config/folders.ts";

export interface PlaceRequest {
  readonly agent: HookAgent;
  readonly input: Pick<HookInput, "cwd">;
  readonly env: Environment;
  /** Undefined: that folder is gone. */
  readonly startedIn: string | undefined;
}

export interface Place {
  /** What relative names of files in variables and options are relative to. */
  readonly cwd: string;
  /** The project is looked for from here. */
  readonly projectDir: string;
}

/** Undefined: nothing says where the call happens. */
export function findPlace({ agent, input, env, startedIn }: PlaceRequest): Place | undefined {
  const ofSession = agent.startsInProject === true ? startedIn : undefined;
  const start = agentsProject(agent, env) ?? ofSession ?? input.cwd ?? startedIn;
  if (start === undefined) return undefined;
  const projectDir = followLinks(start);
  return { cwd: startedIn ?? projectDir, projectDir };
}

/** The folder in which the agent was started, as it says itself. */
function agentsProject({ projectVariable = "" }: HookAgent, env: Environment): string | undefined {
  const folder = env[projectVariable];
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** Where the agent's own files are looked for. */
export function agentsPlace(agent: HookAgent, env: Environment): ServerPlace {
  const { home, state } = findFolders(env);
  return { home, env, projectDir: agentsProject(agent, env), addressFile: hookAddressFile(state) };
}

/** Where a server says how it is reached. */
export function hookAddressFile(stateFolder: string): string {
  return join(stateFolder, "hook.addr");
}

/** The variables that choose which files are read. The script sends them; kept rules are found by them. */
export const placeVariables: readonly string[] = [
  "HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_DATA_HOME",
  "TOOLGATE_ROUTES",
  ...agentVariables,
];

/** Above a link there is another project than above its target. Of a folder that is gone, the rest counts. */
function followLinks(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(followLinks(above), basename(folder));
  }
}
