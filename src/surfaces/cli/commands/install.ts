/** `toolgate install <agent>`: puts our hooks into the agent's settings. */
import { packagedBundle, type SetupScope } from "../../../agents/claude-code/set-up/hook-command.ts";
import {
  installClaudeCode,
  type SetupRequest,
  type SetupResult,
} from "../../../agents/claude-code/set-up/install.ts";
import { explainUnknownAgent, isKnownAgent } from "../../../agents/known-agents.ts";
import { findProject } from "../../../config/find-project.ts";
import { findFolders } from "../../../config/folders.ts";
import { visible } from "../../../core/text/visible.ts";
import { explainForPeople } from "../agent-around.ts";
import { coloursFor } from "../terminal/colours.ts";
import { type CliIo, exitCodes } from "../terminal/io.ts";
import { shownPath } from "../terminal/shown.ts";

export interface SetupOptions {
  readonly agent: string;
  readonly scope?: SetupScope | undefined;
  readonly json?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface InstallOptions extends SetupOptions {
  readonly force?: boolean | undefined;
  /** False: always a process for each call, also when a server runs. */
  readonly fast?: boolean | undefined;
  /** Where the hook lies; by default in this package. */
  readonly bundle?: string | undefined;
  /** Another command says what next. */
  readonly isPart?: boolean | undefined;
}

export async function runInstall(options: InstallOptions, io: CliIo): Promise<number> {
  const { force = false, fast = true, bundle = packagedBundle() } = options;
  // Another hook, or the same one weaker, would be the agent's choice of who checks it.
  const refused = options.dryRun === true ? undefined : explainForPeople("which hooks there are", io);
  if (refused !== undefined) return failed(refused, options, io);
  const request = setupRequest(options, io);
  if (typeof request === "string") return failed(request, options, io);
  const result = installClaudeCode({
    ...request,
    force,
    bundle,
    execPath: process.execPath,
    withoutScript: !fast,
  });
  if (!result.ok) return failed(result.message, options, io);
  const colours = coloursFor(io);
  const done = !result.isChanged
    ? `${colours.green("✓")} Already installed in ${shown(result.file, io)}.\n`
    : options.dryRun === true
      ? `Would write the hooks into ${shown(result.file, io)}.\n`
      : `${colours.green("✓")} Claude Code now asks toolgate before every tool call (${shown(result.file, io)}).\n`;
  const runs = `  It runs: ${visible(result.command ?? "")}\n`;
  const next = options.dryRun === true || options.isPart === true ? "" : nextSteps(request.scope);
  return report(result, `${done}${runs}${next}`, options, io);
}

function nextSteps(scope: SetupScope): string {
  const undo = `npx toolgate uninstall claude-code${scope === "user" ? "" : ` --scope ${scope}`}`;
  return `
Next:
  ${"npx toolgate doctor".padEnd(undo.length)}   is everything in place?
  ${"npx toolgate list".padEnd(undo.length)}   which rules count here
  ${undo}   undo
Sessions that are already running may have to be started again.
`;
}

/** A text: why it cannot be done. */
export function setupRequest(
  { agent, scope = "user", dryRun }: SetupOptions,
  io: CliIo,
): SetupRequest | string {
  if (!isKnownAgent(agent)) return explainUnknownAgent(agent);
  if (!isScope(scope)) return `The scope ${JSON.stringify(scope)} is unknown: it is user, project or local.`;
  const { home } = findFolders(io.env);
  const { folder: projectDir } = findProject(io.cwd, home);
  if (scope !== "user" && projectDir === home)
    return "The home folder is no project. Go into one, or install for all sessions with --scope user.";
  // Asked for by a person who stands in a folder: what an agent's session says about its own folder does not count.
  const env = { ...io.env, CLAUDE_PROJECT_DIR: undefined, CLAUDE_PLUGIN_ROOT: undefined };
  return { home, env, projectDir, scope, ...(dryRun === true && { dryRun }) };
}

export function report(
  result: Extract<SetupResult, { ok: true }>,
  text: string,
  { agent, scope = "user", json, dryRun = false }: SetupOptions,
  io: CliIo,
): number {
  if (json === true) {
    const { file, isChanged: changed, command, notes } = result;
    io.out(`${JSON.stringify({ ok: true, agent, scope, file, changed, dryRun, command, notes }, null, 2)}\n`);
    return exitCodes.ok;
  }
  io.out(text);
  for (const note of result.notes) io.out(`note: ${visible(note)}\n`);
  return exitCodes.ok;
}

export function failed(message: string, { json }: SetupOptions, io: CliIo): number {
  if (json === true) io.out(`${JSON.stringify({ ok: false, message }, null, 2)}\n`);
  else io.err(`${visible(message, { keepNewlines: true })}\n`);
  return exitCodes.failed;
}

export function shown(file: string, io: CliIo): string {
  const { home } = findFolders(io.env);
  return file.startsWith(`${home}/`) ? visible(`~${file.slice(home.length)}`) : shownPath(file, io.cwd);
}

function isScope(scope: string): scope is SetupScope {
  return ["user", "project", "local"].includes(scope);
}
