/** Runs the hook as the agent would, with one call that a rule must block and one that no rule concerns. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentAdapter } from "../../../../agents/agent.ts";
import type { AgentSetup, InstalledHook } from "../../../../agents/agent-setup.ts";
import { ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { findFolders } from "../../../../config/folders.ts";
import { blockedExit } from "../../../../core/call/blocked-exit.ts";
import { type ProcessEnd, runProcess } from "../../../../safe/process/spawn.ts";
import { hookAddressFile } from "../../../hook/process/find-place.ts";
import type { CliIo } from "../../terminal/io.ts";
import { canaryFolders, canaryRules, inherited } from "./canary-world.ts";

const check = "canary";
const timeoutMs = 20_000;
const tool = "ToolgateCanary";

export interface TriedHook {
  readonly agent: Pick<AgentAdapter, "title" | "projectVariable">;
  readonly setup: Pick<AgentSetup, "hookTrial" | "client">;
  readonly hook: InstalledHook;
  readonly home: string;
}

/** The folders of one try, and the word by which the rule and its denial are known. */
interface Trial extends TriedHook {
  readonly folder: string;
  readonly project: string;
  readonly word: string;
  readonly io: CliIo;
}

export async function releaseCanary(tried: TriedHook, io: CliIo): Promise<SetupFinding[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  const word = randomBytes(8).toString("hex");
  const trial: Trial = { ...tried, folder, project: join(folder, "project"), word, io };
  const { command, args } = tried.hook;
  try {
    const env = { ...canaryFolders(folder, rulesFor(trial)), ...clientVariables(trial) };
    const ask = (say: string) => start(trial, { command, args, env, say });
    const unblocked = whyNotBlocked(await ask(`block ${word}`), trial);
    if (unblocked !== undefined) return [judged(problem, tried.hook, unblocked)];
    const noise = whyNotSilent(await ask("pass"), trial);
    if (noise !== undefined) return [judged(warning, tried.hook, noise)];
    return [
      ok(check, "A call that a rule forbids is blocked, another one passes."),
      ...(await throughServer(trial)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly say: string;
}

function start(trial: Trial, { command, args, env, say }: Started): Promise<ProcessEnd> {
  const { setup, project, home, io } = trial;
  return runProcess({
    command,
    args,
    cwd: project,
    env: { ...inherited(home, setup.client?.inherits ?? [], io), ...env },
    input: setup.hookTrial.call(tool, { say }, project),
    timeoutMs,
    signal: io.signal,
  });
}

/** The script's other way, when a server runs: only it can answer, from a project with the same rule. */
async function throughServer(trial: Trial): Promise<SetupFinding[]> {
  const { hook, folder, project, word, io } = trial;
  const [script, agent, , ...more] = hook.words?.slice(hook.words.findIndex(isScript)) ?? [];
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = io.env;
  if (script === undefined || !isScript(script) || agent === undefined) return [];
  if (!existsSync(hookAddressFile(findFolders(io.env).state))) return [];
  // A project may always forbid something.
  writeFileSync(join(project, "toolgate.yaml"), rulesFor(trial));
  const end = await start(trial, {
    command: script,
    args: [agent, join(folder, "no-node"), ...more],
    env: {
      ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
      ...(XDG_STATE_HOME !== undefined && { XDG_STATE_HOME }),
      ...projectOf(trial),
    },
    say: `block ${word}`,
  });
  const why = whyNotBlocked(end, trial);
  if (why === undefined) return [ok(check, "The server that runs answers the hook, and blocks it, too.")];
  return [
    warning(
      check,
      `The server that runs does not answer the hook, so a process is started for each call: ${why}`,
      "Start toolgate serve again.",
    ),
  ];
}

function rulesFor({ setup: { hookTrial }, word }: Trial): string {
  const ruleTool = hookTrial.ruleTool?.(tool) ?? tool;
  return canaryRules([{ tool, ruleTool, field: "say" }], `^block ${word}$`, word);
}

function isScript(word: string): boolean {
  return /(^|\/)hook\.sh$/.test(word);
}

/** What a line names by a variable lies where the client finds it. Else the project is this run's own. */
function clientVariables(trial: Trial): Record<string, string> {
  const { variables, args } = trial.hook;
  const named = Object.entries(variables).filter(([name]) => args.some((arg) => arg.includes(name)));
  return { ...projectOf(trial), ...Object.fromEntries(named) };
}

function projectOf({ agent: { projectVariable }, project }: Trial): Record<string, string> {
  return projectVariable === undefined ? {} : { [projectVariable]: project };
}

function whyNotBlocked(end: ProcessEnd, { agent, setup, word }: Trial): string | undefined {
  const failure = whyFailed(end);
  if (failure !== undefined || !end.started) return failure;
  const { exitCode, stdout, stderr } = end;
  const refused = setup.hookTrial.refusalIn(stdout)?.includes(word) === true;
  // There are agents to which an exit code says nothing, or too much.
  if (exitCode === 0) return refused ? undefined : "a call that a rule forbids was not blocked.";
  if (exitCode !== blockedExit)
    return `it ended with ${exitCode ?? "a signal"} instead of an answer${quoted(stderr)}`;
  if (!stderr.includes(word))
    return `it blocked for another reason than the rule it was given${quoted(stderr)}`;
  return refused ? undefined : `its answer for ${agent.title} cannot be read; only the exit code blocks.`;
}

function whyNotSilent(end: ProcessEnd, { setup }: Trial): string | undefined {
  const failure = whyFailed(end);
  if (failure !== undefined || !end.started) return failure;
  const { exitCode, stdout, stderr } = end;
  if (exitCode !== 0) return `a call that no rule of yours concerns was blocked${quoted(stderr)}`;
  return stdout === (setup.hookTrial.noObjection ?? "") && stderr === ""
    ? undefined
    : `it says something where it should be silent${quoted(stdout + stderr)}`;
}

function whyFailed(end: ProcessEnd): string | undefined {
  if (!end.started) return end.message;
  if (end.aborted) return "the try was cancelled.";
  return end.timedOut ? `it gave no answer within ${timeoutMs / 1000} seconds.` : undefined;
}

function judged(made: typeof problem, { file, command, args }: InstalledHook, why: string): SetupFinding {
  const line = command === "/bin/sh" ? args.slice(1) : [command, ...args];
  return made(
    check,
    `The hook in ${file} was tried: ${why}`,
    `Try it yourself: echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | ${line.join(" ")}`,
  );
}

function quoted(text: string): string {
  const short = text.trim().slice(0, 300);
  return short === "" ? "." : `: ${short}`;
}
