/** `toolgate install <agent>...`: puts our hooks into the settings of agents. */
import type { SetupRequest, SetupResult, SetupScope } from "../../../../agents/agent-setup.ts";
import { packagedBundle } from "../../../../agents/packaged-bundle.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openEffective } from "../../open/effective-config.ts";
import { describeShipped, shippedRoutes } from "../../open/shipped-routes.ts";
import { coloursFor } from "../../terminal/colours.ts";
import type { CliIo } from "../../terminal/io.ts";
import { ownCommand } from "../../terminal/own-command.ts";
import { ownAddresses } from "../upstreams/is-toolgate.ts";
import { chooseAgents } from "./choose-agents.ts";
import { type HookSource, openHookSource } from "./hook-source.ts";
import { moveServers, ownProgram, type ServerMove } from "./move-servers.ts";
import { isOnMachine, type KnownAgent } from "./on-machine.ts";
import { atTerminal } from "./person.ts";
import {
  type AgentEnd,
  describePlan,
  exitCodeOf,
  failed,
  isChanged,
  printEnds,
  shownFiles,
  tellFailure,
  tellNotes,
} from "./setup-report.ts";
import { readSetup, type SetupOptions } from "./setup-request.ts";
import { trustHooks } from "./trust-hooks.ts";

export interface InstallOptions extends SetupOptions {
  readonly force?: boolean | undefined;
  /** False: always a process for each call, also when a server runs. */
  readonly fast?: boolean | undefined;
  /** No question before something is written. */
  readonly yes?: boolean | undefined;
  /** Approve the hooks in agents that start no others. Absent: a person is asked. */
  readonly trust?: boolean | undefined;
  /** Its MCP servers go behind the gate. */
  readonly mcp?: boolean | undefined;
  /** Where the hook lies; by default in this package. */
  readonly bundle?: string | undefined;
  /** Another command says what next. */
  readonly isPart?: boolean | undefined;
}

export async function runInstall(options: InstallOptions, io: CliIo): Promise<number> {
  const { force = false, fast = true, bundle = packagedBundle() } = options;
  // Another hook, or the same one weaker, would be the agent's choice of who checks it.
  const request = readSetup(options, "which hooks there are", io);
  if (typeof request === "string") return failed(request, options, io);
  const chosen = await chooseAgents(options, countFound(request, io), io);
  if (typeof chosen === "string") return failed(chosen, options, io);
  const source = await openHookSource({ bundle, force, withoutScript: !fast }, io);
  const move = options.mcp === true ? await openMove(bundle, io) : undefined;
  const planned = chosen.map((known) => ({
    known,
    result: installOne(known, { ...request, dryRun: true }, { source, move }, io),
  }));
  if (!(await isAgreed(planned, options, io))) return failed("Nothing was changed.", options, io);
  const ends = await installAll(source, { chosen, request, options, move }, io);
  if (typeof ends === "string") return failed(ends, options, io);
  if (options.json === true) printEnds(ends, options, io);
  else await tell(ends, options, io);
  return exitCodeOf(ends, options);
}

function countFound(request: SetupRequest, io: CliIo) {
  return {
    command: "install",
    counts: ({ setup }: KnownAgent) => isOnMachine(setup, request, io),
    hint: "found on this machine",
    none: "No agent that toolgate knows was found on this machine. Name one: toolgate install --help lists them.",
  } as const;
}

/** Shown first, and written only after a yes, where somebody can give it. */
async function isAgreed(
  planned: readonly { readonly known: KnownAgent; readonly result: AgentEnd["result"] }[],
  { json, yes, dryRun, isPart, person = atTerminal }: InstallOptions,
  io: CliIo,
): Promise<boolean> {
  const changes = planned.flatMap(({ known, result }) =>
    result.ok && isChanged(result) ? [describePlan(known.agent, result, io)] : [],
  );
  const isAttended = io.isTerminal && io.stdinIsTerminal === true && isPart !== true;
  if (json === true || changes.length === 0 || !(isAttended || dryRun === true)) return true;
  io.out(`${changes.join("")}\n`);
  return dryRun === true || yes === true || (await person.confirm("Write this?", io)) === true;
}

interface Plan {
  readonly chosen: readonly KnownAgent[];
  readonly request: SetupRequest;
  readonly options: InstallOptions;
  readonly move: ServerMove | undefined;
}

/** The hooks, and then the servers if that is wanted. */
function installOne(
  known: KnownAgent,
  request: SetupRequest,
  { source, move }: { readonly source: HookSource; readonly move: ServerMove | undefined },
  io: CliIo,
): SetupResult {
  const hooks = source.install(known, request);
  if (!hooks.ok || move === undefined) return hooks;
  try {
    const moved = moveServers(known, { ...request, memory: source.memory }, move, io);
    if (!moved.ok) return moved;
    return { ...hooks, files: [...hooks.files, ...moved.files], notes: [...hooks.notes, ...moved.notes] };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

async function openMove(bundle: string, io: CliIo): Promise<ServerMove> {
  const config = await openEffective({}, io);
  return { program: ownProgram(bundle, process.execPath), own: ownAddresses(config) };
}

/** A text: nothing could be done for any of them. */
async function installAll(
  source: HookSource,
  { chosen, request, options, move }: Plan,
  io: CliIo,
): Promise<readonly AgentEnd[] | string> {
  const problem = request.dryRun === true ? undefined : source.make();
  try {
    if (problem !== undefined) return problem;
    const ends: AgentEnd[] = [];
    for (const known of chosen) {
      const result = installOne(known, request, { source, move }, io);
      const { memory } = source;
      const trust = result.ok ? await trustHooks(known, { ...request, memory }, options, io) : undefined;
      ends.push({ agent: known.agent, result, trust });
    }
    return ends;
  } finally {
    if (request.dryRun !== true) await source.tidy(request, options.known);
  }
}

async function tell(ends: readonly AgentEnd[], options: InstallOptions, io: CliIo): Promise<void> {
  for (const end of ends) tellOne(end, options, io);
  const { dryRun, isPart, scope = "user" } = options;
  const done = ends.filter(({ result }) => result.ok);
  if (done.length > 0 && isPart !== true) {
    io.out(describeShipped(await shippedRoutes(io), io));
    if (dryRun !== true) {
      const names = done.map(({ agent }) => agent.name).join(" ");
      io.out(nextSteps(ownCommand(io), names, scope));
    }
  }
  tellNotes(ends, io);
}

function tellOne({ agent, result, trust }: AgentEnd, { dryRun }: InstallOptions, io: CliIo): void {
  if (!result.ok) {
    tellFailure(agent, result.message, io);
    return;
  }
  const { green, yellow } = coloursFor(io);
  const files = shownFiles(result, io);
  const isNew = isChanged(result);
  if (dryRun === true && isNew) io.out(`Would write the hooks into ${files}.\n`);
  else if (trust?.done === false && dryRun !== true)
    io.out(`${yellow("!")} The hooks of ${agent.title} are written (${files}), but not in force yet.\n`);
  else if (isNew)
    io.out(`${green("✓")} ${agent.title} now asks toolgate before every tool call (${files}).\n`);
  else io.out(`${green("✓")} Already installed in ${files} (${agent.title}).\n`);
  io.out(`  It runs: ${visible(result.command ?? "")}\n`);
  if (trust !== undefined) io.out(`  ${visible(trust.message)}\n`);
}

function nextSteps(own: string, names: string, scope: SetupScope): string {
  const undo = `${own} uninstall ${names}${scope === "user" ? "" : ` --scope ${scope}`}`;
  return `
Next:
  ${`${own} doctor`.padEnd(undo.length)}   is everything in place?
  ${`${own} list`.padEnd(undo.length)}   which rules count here
  ${undo}   undo
Sessions that are already running may have to be started again.
`;
}
