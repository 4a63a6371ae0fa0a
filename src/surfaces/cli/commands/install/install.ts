/** `toolgate install <agent>`: puts our hooks into the agent's settings. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentSetup, SetupRequest, SetupResult, SetupScope } from "../../../../agents/agent-setup.ts";
import { agentNames, findAgent, withoutSession } from "../../../../agents/all-agents.ts";
import { packagedBundle } from "../../../../agents/packaged-bundle.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { visible } from "../../../../core/text/visible.ts";
import { closestNames } from "../../../../core/tool/tool-name.ts";
import { explainForPeople } from "../../agent-around.ts";
import { describeShipped, shippedRoutes } from "../../open/shipped-routes.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";
import { chooseNode } from "./choose-node.ts";
import { planCopy } from "./hook-copies.ts";
import { openInstallations } from "./installations.ts";

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
  const { force = false, fast = true, bundle = packagedBundle(), dryRun, isPart } = options;
  // Another hook, or the same one weaker, would be the agent's choice of who checks it.
  const asked = readSetup(options, "which hooks there are", io);
  if (typeof asked === "string") return failed(asked, options, io);
  const { agent, request } = asked;
  const setup = await agent.loadSetup();
  const installed = await installCopy({ bundle, force, withoutScript: !fast }, { setup, request, io });
  if (!installed.ok) return failed(installed.message, options, io);
  const result = installed;
  const done = coloursFor(io).green("✓");
  const file = shown(fileOf(result), io);
  const said = !isChanged(result)
    ? `${done} Already installed in ${file}.\n`
    : dryRun === true
      ? `Would write the hooks into ${file}.\n`
      : `${done} ${agent.title} now asks toolgate before every tool call (${file}).\n`;
  const runs = `  It runs: ${visible(result.command ?? "")}\n`;
  const next = dryRun === true || isPart === true ? "" : nextSteps(agent, request.scope);
  const shipped = isPart === true ? "" : describeShipped(await shippedRoutes(io), io);
  return report(result, `${said}${runs}${shipped}${next}`, options, io);
}

/** The agent is told to start a copy: one that is not there yet, or that it is not told about in the end, is none. */
async function installCopy(
  how: { readonly bundle: string; readonly force: boolean; readonly withoutScript: boolean },
  { setup, request, io }: { readonly setup: AgentSetup; readonly request: SetupRequest; readonly io: CliIo },
): Promise<SetupResult> {
  const { data } = findFolders(io.env);
  const execPath = await chooseNode(process.execPath, io.env.PATH);
  if (!existsSync(how.bundle)) return setup.install({ ...request, ...how, execPath });
  const copy = planCopy(how.bundle, data);
  const memory = openInstallations(data);
  if (request.dryRun === true)
    return setup.install({ ...request, ...how, execPath, memory, copy: copy.bundle });
  let fresh: string | undefined;
  try {
    memory.begin();
    if (copy.make()) fresh = dirname(copy.bundle);
    return setup.install({ ...request, ...how, execPath, memory, copy: copy.bundle });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return {
      ok: false,
      message: `The hook could not be copied to ${data} (${code ?? message}). Nothing was changed.`,
    };
  } finally {
    memory.tidy({ named: namedBy(setup, request), fresh });
  }
}

/** Every line that the agent would start here, whoever wrote it. */
export function namedBy(setup: AgentSetup, request: SetupRequest): string[] {
  return setup.examine(request).installed.flatMap(({ command, args }) => [command, ...args]);
}

function nextSteps({ name }: AgentAdapter, scope: SetupScope): string {
  const undo = `npx toolgate uninstall ${name}${scope === "user" ? "" : ` --scope ${scope}`}`;
  return `
Next:
  ${"npx toolgate doctor".padEnd(undo.length)}   is everything in place?
  ${"npx toolgate list".padEnd(undo.length)}   which rules count here
  ${undo}   undo
Sessions that are already running may have to be started again.
`;
}

/** A text: why it cannot be done. */
export function readSetup(
  { agent: name, scope = "user", dryRun }: SetupOptions,
  what: string,
  io: CliIo,
): { readonly agent: AgentAdapter; readonly request: SetupRequest } | string {
  const refused = dryRun === true ? undefined : explainForPeople(what, io);
  if (refused !== undefined) return refused;
  const agent = findAgent(name);
  if (agent === undefined) return explainUnknownAgent(name);
  if (!isScope(scope)) return `The scope ${JSON.stringify(scope)} is unknown: it is user, project or local.`;
  const { home } = findFolders(io.env);
  const { folder: projectDir } = findProject(io.cwd, home);
  if (scope !== "user" && projectDir === home)
    return "The home folder is no project. Go into one, or install for all sessions with --scope user.";
  // A person who stands in a folder asks: what an agent's session says about its own folder does not count.
  const env = withoutSession(io.env);
  return { agent, request: { home, env, projectDir, scope, ...(dryRun === true && { dryRun }) } };
}

export function explainUnknownAgent(name: string): string {
  const [close] = closestNames(name, agentNames, 1);
  const list = `Known agents: ${agentNames.join(", ")}.`;
  return `Unknown agent ${JSON.stringify(name)}. ${close === undefined ? list : `Did you mean ${close}? ${list}`}`;
}

export function report(
  result: Done,
  text: string,
  { agent, scope = "user", json, dryRun = false }: SetupOptions,
  io: CliIo,
): number {
  if (json === true) {
    const { command, notes } = result;
    const [file, changed] = [fileOf(result), isChanged(result)];
    io.out(`${JSON.stringify({ ok: true, agent, scope, file, changed, dryRun, command, notes }, null, 2)}\n`);
    return exitCodes.ok;
  }
  io.out(text);
  for (const note of result.notes) io.out(`note: ${visible(note)}\n`);
  return exitCodes.ok;
}

type Done = Extract<SetupResult, { ok: true }>;

export function fileOf({ files }: Done): string {
  return files[0]?.file ?? "";
}

export function isChanged({ files }: Done): boolean {
  return files.some(({ change }) => change !== "none");
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
