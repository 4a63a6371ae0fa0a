/** How the client is told to start our hook: which node, which file. */
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type HookCommand, scriptBeside } from "./hook-entries.ts";
import { isInside } from "./inside.ts";

/** `user`: all sessions. `project`: everybody's sessions in the project. `local`: one's own in the project. */
export type SetupScope = "user" | "project" | "local";

export interface HookCommandRequest {
  readonly scope: SetupScope;
  readonly projectDir: string;
  readonly bundle: string;
  /** The node that runs this command. */
  readonly execPath: string;
  /** Always a process, also when a server runs. */
  readonly withoutScript?: boolean | undefined;
}

export interface ChosenCommand extends HookCommand {
  readonly notes: readonly string[];
}

/** Where the hook lies in this package, built or not. */
export function packagedBundle(): string {
  return fileURLToPath(new URL("../../../dist/hook/hook.cjs", import.meta.url));
}

/**
 * For one person: full paths, so that the hook also starts where PATH is another one (an editor, a service, a project's `.bin`).
 * For a project, whose settings are shared: names that mean the same on every machine, and no bash, which not every machine has.
 */
export function chooseHookCommand(request: HookCommandRequest): ChosenCommand {
  const { scope, projectDir, bundle, execPath } = request;
  if (scope !== "project") {
    const bash = request.withoutScript === true || !existsSync(scriptBeside(bundle)) ? undefined : findBash();
    return { command: stableNode(execPath), bundle, ...(bash !== undefined && { bash }), notes: [] };
  }
  const inProject = bundleInProject(projectDir, bundle);
  if (inProject !== undefined)
    return {
      command: "node",
      bundle: `\${CLAUDE_PROJECT_DIR}/${inProject.replaceAll("\\", "/")}`,
      notes: [],
    };
  return {
    command: "node",
    bundle,
    notes: [
      "The project's settings now name a file of this machine. For a team, add toolgate to the project (npm install --save-dev toolgate) and install again.",
    ],
  };
}

/** `npx` deletes its copy one day, and from then on every call would be blocked. */
export function isTemporaryCopy(bundle: string): boolean {
  return /[\\/]_npx[\\/]|[\\/]dlx-[^\\/]+[\\/]/.test(bundle);
}

/** The one of macOS itself is too old to ask a server. Not from PATH: a project can put itself there. */
function findBash(): string | undefined {
  if (process.platform === "win32") return undefined;
  return ["/opt/homebrew/bin/bash", "/usr/local/bin/bash", "/bin/bash", "/usr/bin/bash"].find((bash) =>
    existsSync(bash),
  );
}

/** Relative to the project; the name in node_modules rather than a folder with a version in it. */
function bundleInProject(projectDir: string, bundle: string): string | undefined {
  const usual = join("node_modules", "toolgate", "dist", "hook", "hook.cjs");
  if (existsSync(join(projectDir, usual)) && isSameFile(join(projectDir, usual), bundle)) return usual;
  return isInside(bundle, projectDir) ? relative(projectDir, bundle) : undefined;
}

/** The running node by a name that an update keeps: package managers put the real one into a folder with its version. */
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
