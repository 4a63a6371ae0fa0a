/** `toolgate init`: a first rule file, for the project (trusted from the start) or for the user, and what to do next. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { findAgent, firstAgent } from "../../../../agents/all-agents.ts";
import { describeConfigProblem } from "../../../../config/config-problem.ts";
import { starterFile } from "../../../../config/file/starter-file.ts";
import { findProject } from "../../../../config/find-project.ts";
import { findFolders } from "../../../../config/folders.ts";
import { addTrust, readTrust } from "../../../../config/trust/trust.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openConfig } from "../../../../open/open-config.ts";
import { explainForPeople } from "../../agent-around.ts";
import { describeShipped, shippedRoutes } from "../../open/shipped-routes.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { asTyped, ownCommand } from "../../terminal/own-command.ts";
import { saveFile } from "../../terminal/save-file.ts";
import { explainUnknownAgent } from "../install/choose-agents.ts";
import { runInstall } from "../install/install.ts";
import { oldRoutesTarget, type TakenOver, takeOver } from "./take-over.ts";

export interface InitOptions {
  /** Rules for all projects of the user, instead of a file in this one. */
  readonly user?: boolean | undefined;
  /** Every question is answered with yes. */
  readonly yes?: boolean | undefined;
  /** Replace the file that is there. */
  readonly force?: boolean | undefined;
  /** Also put the hooks into this agent. */
  readonly install?: string | undefined;
  readonly json?: boolean | undefined;
  /** Where the hook lies; by default in this package. */
  readonly bundle?: string | undefined;
}

export async function runInit(options: InitOptions, io: CliIo): Promise<number> {
  const { state, home, config } = findFolders(io.env);
  const isUsers = options.user === true;
  const folder = isUsers ? config : io.cwd;
  const refused = whyNot(options, { folder, home }, io);
  if (refused !== undefined) return end(options, io, { ok: false, message: refused });
  const { folder: project } = findProject(io.cwd, home);
  const file = join(folder, fileName(options));
  const text = starterFile("commented", isUsers ? "all your projects" : "this project");
  const problem = save(file, text, options);
  if (problem !== undefined)
    return end(options, io, { ok: false, message: `${fileName(options)} was not written: ${problem}` });
  // The user's own file needs no trust.
  const untrusted = isUsers ? undefined : trust(file, text, state);
  const trusted = untrusted === undefined;
  const notes = isUsers ? [] : [...outsideNote(io.cwd, project), ...(trusted ? [] : [untrusted])];
  const colours = coloursFor(io);
  const say = options.json === true ? () => {} : io.out;
  const wrote = isUsers
    ? `Wrote ${visible(file)}. Its rules hold in all your projects, and its comments explain them.`
    : `Wrote toolgate.yaml${trusted ? " and trusted it" : ""}. Look at it: its comments explain the rules.`;
  say(`${colours.green("✓")} ${wrote}\n`);
  const old = isUsers ? nothingTakenOver : await takeOver({ ...options, state }, io);
  const installed = await install(options, io);
  const shipped = await shippedRoutes(io);
  say(describeShipped(shipped, io));
  const next = nextSteps(installed?.ok === true, old, { isUsers, own: ownCommand(io) });
  const done = {
    ok: installed?.ok !== false,
    file,
    trusted,
    converted: old.converted,
    ...(old.file !== undefined && { routes: { file: old.file, trusted: old.trusted } }),
    ...(installed && { installed }),
    shipped,
    notes: [...notes, ...old.notes, ...(await clashes(io))],
    next,
  };
  return end(options, io, done);
}

const nothingTakenOver: TakenOver = { converted: [], open: [], file: undefined, trusted: false, notes: [] };

interface Done {
  readonly ok: boolean;
  readonly message?: string;
  readonly notes?: readonly string[];
  readonly next?: readonly Step[];
}

interface Step {
  readonly command: string;
  readonly why: string;
}

function end({ json }: InitOptions, io: CliIo, done: Done): number {
  if (json === true) {
    io.out(`${JSON.stringify(done, null, 2)}\n`);
  } else {
    if (done.message !== undefined) io.err(`${visible(done.message, { keepNewlines: true })}\n`);
    for (const note of done.notes ?? []) io.err(`note: ${visible(asTyped(note, io))}\n`);
    if (done.next !== undefined) io.out(describeNext(done.next));
  }
  return done.ok ? exitCodes.ok : exitCodes.failed;
}

/** Nobody but the user reads what a new folder for the user's rules holds. */
function save(file: string, text: string, { user, force }: InitOptions): string | undefined {
  try {
    if (user === true) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    return (error as Error).message;
  }
  return saveFile(file, text, force === true, "there is a file of that name.");
}

function fileName({ user }: InitOptions): string {
  return user === true ? "config.yaml" : "toolgate.yaml";
}

function whyNot(
  options: InitOptions,
  { folder, home }: { readonly folder: string; readonly home: string },
  io: CliIo,
): string | undefined {
  const { install, force, user } = options;
  const own = ownCommand(io);
  // It would replace the person's rules, and trust what replaces them.
  const refused = force === true ? explainForPeople("replacing the rules", io) : undefined;
  if (refused !== undefined) return refused;
  if (install !== undefined && findAgent(install) === undefined) return explainUnknownAgent(install);
  if (folder === home)
    return `The home folder is no project. Go into one, or write rules for all your projects: ${own} init --user.`;
  const names = user === true ? ["config.yaml"] : ["toolgate.yaml", "toolgate.yml"];
  const there = names.find((name) => existsSync(join(folder, name)));
  if (there === undefined || (force === true && there === fileName(options))) return undefined;
  if (force === true)
    return `There is a ${there} already; two files would be in each other's way. Rename or remove it first.`;
  const where = user === true ? `${there} in ${folder}` : there;
  const again = user === true ? "init --user --force" : "init --force";
  return `There is a ${where} already, and it stays as it is. To start again: ${own} ${again}. To set your agent up: ${own} install ${firstAgent.name}.`;
}

/** Its content is ours and the person asked for it: there is nothing to look at first. Undefined: done. */
function trust(file: string, text: string, stateFolder: string): string | undefined {
  const known = readTrust(stateFolder);
  if (!known.ok) return `toolgate.yaml is not trusted: ${known.message}`;
  try {
    addTrust(stateFolder, [{ path: file, sha256: createHash("sha256").update(text).digest("hex") }]);
    return undefined;
  } catch (error) {
    return `toolgate.yaml is not trusted: ${(error as Error).message}`;
  }
}

/** The rules of a folder inside a repository do not reach sessions that start in its root. */
function outsideNote(cwd: string, project: string): string[] {
  return project === cwd
    ? []
    : [`It holds for sessions that start in ${cwd} or below, not for those in ${project}.`];
}

/** A rule of another file may have the name of a new one: then no rule could be used, and every call be denied. */
async function clashes({ cwd, env }: CliIo): Promise<readonly string[]> {
  const { problems } = await openConfig({ cwd, env });
  return problems.map((problem) => `The rules cannot be used yet: ${describeConfigProblem(problem)}`);
}

/** Undefined: not wanted, or nobody to ask. */
async function install(
  { install: agent, yes, json, bundle }: InitOptions,
  io: CliIo,
): Promise<{ readonly ok: boolean } | undefined> {
  const question = `Have ${firstAgent.title} ask toolgate before every tool call, in all your sessions?`;
  const wanted =
    agent !== undefined || yes === true || (json !== true && (await confirm(question, io)) === true);
  if (!wanted) return undefined;
  const options = { agents: [agent ?? firstAgent.name], bundle, isPart: true, yes: true };
  if (json !== true) return { ok: (await runInstall(options, io)) === exitCodes.ok };
  let told = "";
  const quiet = { ...io, out: (text: string) => (told += text), err: () => {} };
  await runInstall({ ...options, json }, quiet);
  const [end] = JSON.parse(told) as { ok: boolean }[];
  return end;
}

function nextSteps(
  isInstalled: boolean,
  old: TakenOver,
  { isUsers, own }: { readonly isUsers: boolean; readonly own: string },
): Step[] {
  const install = {
    command: `${own} install ${firstAgent.name}`,
    why: `have ${firstAgent.title} ask toolgate before every call`,
  };
  return [
    { command: `${own} test`, why: "run the tests that the rules carry" },
    isInstalled ? { command: `${own} doctor`, why: "is everything in place?" } : install,
    ...(old.file !== undefined && !old.trusted
      ? [{ command: `${own} trust ${oldRoutesTarget}`, why: "let the old routes count in full" }]
      : []),
    ...old.open.map((name) => ({
      command: `${own} convert ${name} --out ${oldRoutesTarget}`,
      why: "take the old routes over",
    })),
    // The user's own file needs no trust.
    ...(isUsers ? [] : [{ command: `${own} trust`, why: "after you changed toolgate.yaml" }]),
  ];
}

function describeNext(next: readonly Step[]): string {
  const width = Math.max(...next.map(({ command }) => command.length));
  return `\nNext:\n${next.map(({ command, why }) => `  ${command.padEnd(width)}   ${why}\n`).join("")}`;
}
