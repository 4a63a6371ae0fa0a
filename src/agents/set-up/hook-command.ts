/** How an agent is told to start our hook: which of our executables, with which node. */

import { chmodSync, existsSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { InstallRequest } from "../agent-setup.ts";
import type { ProgramPath } from "./hook-line.ts";
import type { HookCommand } from "./hook-lines.ts";

type CommandRequest = Pick<
  InstallRequest,
  "scope" | "projectDir" | "bundle" | "copy" | "execPath" | "withoutScript"
>;

export interface ChosenCommand extends HookCommand {
  readonly notes: readonly string[];
}

/**
 * For one person: full paths, so that the hook also starts where PATH is another one (an editor, a service).
 * For a project, whose settings are shared: names that mean the same everywhere, where the agent has a variable
 * for the project's folder, and no bash, which not every machine has.
 */
export function chooseHookCommand(request: CommandRequest, projectVariable?: string): ChosenCommand {
  const { scope, projectDir, bundle, copy = bundle, execPath, withoutScript: isAlone } = request;
  if (scope !== "project") {
    const script = scriptBeside(copy);
    // With --dry-run there is no copy yet.
    if (!canRunScript(scriptBeside(bundle))) return { program: { path: withSlashes(copy) }, notes: [] };
    return {
      program: { path: script },
      node: stableNode(execPath),
      ...(isAlone === true && { isAlone }),
      notes: [],
    };
  }
  const inProject = bundleInProject(projectDir, bundle);
  if (inProject !== undefined && projectVariable !== undefined)
    return { program: { below: projectVariable, path: withSlashes(inProject) }, notes: [] };
  return {
    program: { path: withSlashes(copy) },
    notes: [
      `The project's settings now name a file of this machine.${projectVariable === undefined ? "" : " For a team, add toolgate to the project (npm install --save-dev toolgate) and install again."}`,
    ],
  };
}

/** The agent starts this file, and an archive may have lost that it is executable. Text: why it is not. */
export function makeExecutable({ below, path }: ProgramPath, projectDir: string): string | undefined {
  const file = below === undefined ? path : join(projectDir, path);
  try {
    const { mode } = statSync(file);
    if ((mode & 0o111) !== 0o111) chmodSync(file, (mode & 0o777) | 0o111);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${file} must be executable, and could not be made so (${code ?? message}).`;
  }
}

function scriptBeside(bundle: string): string {
  return bundle.replace(/hook\.cjs$/, "hook.sh");
}

/** Its first line names this very bash. Windows starts no script by its first line. */
function canRunScript(script: string): boolean {
  return process.platform !== "win32" && existsSync("/bin/bash") && existsSync(script);
}

/** In a shell line a backslash is no separator. */
function withSlashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** Relative to the project; the name in node_modules rather than a folder with a version in it. */
function bundleInProject(projectDir: string, bundle: string): string | undefined {
  const usual = join("node_modules", "toolgate", "dist", "hook", "hook.cjs");
  if (existsSync(join(projectDir, usual)) && isSameFile(join(projectDir, usual), bundle)) return usual;
  return isInside(bundle, projectDir) ? relative(projectDir, bundle) : undefined;
}

/** The running node by a name that an update keeps: the real one may lie in a folder with its version. */
function stableNode(execPath: string): string {
  const usual = [
    "/opt/homebrew/bin/node",
    "/usr/local/bin/node",
    "/home/linuxbrew/.linuxbrew/bin/node",
    "/usr/bin/node",
  ];
  return usual.find((node) => isSameFile(node, execPath)) ?? execPath;
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
