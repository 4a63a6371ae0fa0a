/**
 * From where the rules of a call are looked for: the project that the agent names, else the folder that the call names, else the one in
 * which the hook was started. The process, the server and `toolgate check` all ask here, so that no way in has other rules than another.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { HookInput } from "../../../agents/claude-code/read-hook-input.ts";
import type { Environment } from "../../../config/folders.ts";
import type { HookAgent } from "./answer.ts";

export interface PlaceRequest {
  readonly agent: HookAgent | undefined;
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
  const named = agent === undefined ? undefined : agentsProject(env);
  const start = named ?? input.cwd ?? startedIn;
  if (start === undefined) return undefined;
  const projectDir = followLinks(start);
  return { cwd: startedIn ?? projectDir, projectDir };
}

/** The folder in which the agent was started, as it says itself. */
export function agentsProject({ CLAUDE_PROJECT_DIR: folder }: Environment): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** Above a link there is another project than above what it leads to. Of a folder that is gone, what is left counts. */
function followLinks(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(followLinks(above), basename(folder));
  }
}
