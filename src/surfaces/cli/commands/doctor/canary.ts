/** Runs the hook exactly as the agent would, with one call that a rule must block and one that no rule concerns. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InstalledHook } from "../../../../agents/claude-code/doctor/check-hooks.ts";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import { findFolders } from "../../../../config/folders.ts";
import { type ProcessEnd, runProcess } from "../../../../safe/process/spawn.ts";
import type { CliIo } from "../../terminal/io.ts";
import { canaryFolders, canaryRules, inherited } from "./canary-world.ts";

const check = "canary";
const timeoutMs = 20_000;

export async function releaseCanary(hook: InstalledHook, home: string, io: CliIo): Promise<SetupFinding[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  try {
    const word = randomBytes(8).toString("hex");
    const env = {
      ...canaryFolders(folder, rulesFor(word)),
      ...inherited(home, io),
      ...clientVariables(hook, folder),
    };
    const ask = (say: string) =>
      runProcess({
        command: hook.command,
        args: hook.args,
        cwd: join(folder, "project"),
        env,
        input: canaryCall(say, folder),
        timeoutMs,
        signal: io.signal,
      });
    const blocked = await ask(`block ${word}`);
    const problem = whyNotBlocked(blocked, word);
    if (problem !== undefined) return [judged("problem", hook, problem)];
    const passed = await ask("pass");
    const noise = whyNotSilent(passed);
    if (noise !== undefined) return [judged("warning", hook, noise)];
    return [
      { check, level: "ok", message: "A call that a rule forbids is blocked, another one passes." },
      ...(await throughServer(hook, folder, word, home, io)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The script's other way, when a server runs: the same rule, in a project that the server has to read. Nothing is installed that could answer instead. */
async function throughServer(
  hook: InstalledHook,
  folder: string,
  word: string,
  home: string,
  io: CliIo,
): Promise<SetupFinding[]> {
  const [script, agent, , ...more] = hook.words?.slice(hook.words.findIndex(isScript)) ?? [];
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = io.env;
  if (script === undefined || !isScript(script) || agent === undefined) return [];
  if (!existsSync(join(findFolders(io.env).state, "hook.addr"))) return [];
  // A project may always forbid something.
  writeFileSync(join(folder, "project", "toolgate.yaml"), rulesFor(word));
  const end = await runProcess({
    command: script,
    args: [agent, join(folder, "no-node"), ...more],
    cwd: join(folder, "project"),
    env: {
      ...inherited(home, io),
      ...(XDG_CONFIG_HOME !== undefined && { XDG_CONFIG_HOME }),
      ...(XDG_STATE_HOME !== undefined && { XDG_STATE_HOME }),
      CLAUDE_PROJECT_DIR: join(folder, "project"),
    },
    input: canaryCall(`block ${word}`, folder),
    timeoutMs,
    signal: io.signal,
  });
  const problem = whyNotBlocked(end, word);
  if (problem === undefined)
    return [{ check, level: "ok", message: "The server that runs answers the hook, and blocks it, too." }];
  return [
    {
      check,
      level: "warning",
      message: `The server that runs does not answer the hook, so a process is started for each call: ${problem}`,
      todo: "Start toolgate serve again.",
    },
  ];
}

function rulesFor(word: string): string {
  return canaryRules([{ tool: "ToolgateCanary", field: "say", pattern: `^block ${word}$` }], word);
}

function isScript(word: string): boolean {
  return /(^|\/)hook\.sh$/.test(word);
}

/** What a line names by a variable lies where the client would find it; otherwise the project is this run's own. */
function clientVariables({ variables, args }: InstalledHook, folder: string): Record<string, string> {
  const named = Object.entries(variables).filter(([name]) => args.some((arg) => arg.includes(name)));
  return { CLAUDE_PROJECT_DIR: join(folder, "project"), ...Object.fromEntries(named) };
}

function canaryCall(say: string, folder: string): string {
  return JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "toolgate-doctor",
    tool_use_id: "toolgate-doctor",
    cwd: join(folder, "project"),
    permission_mode: "default",
    tool_name: "ToolgateCanary",
    tool_input: { say },
  });
}

function whyNotBlocked(end: ProcessEnd, word: string): string | undefined {
  const failure = whyFailed(end);
  if (failure !== undefined || !end.started) return failure;
  const { exitCode, stdout, stderr } = end;
  if (exitCode === 0) return "a call that a rule forbids was not blocked.";
  if (exitCode !== 2) return `it ended with ${exitCode ?? "a signal"} instead of an answer${quoted(stderr)}`;
  if (!stderr.includes(word))
    return `it blocked for another reason than the rule it was given${quoted(stderr)}`;
  return answerOf(stdout)?.includes(word) === true
    ? undefined
    : "its answer for Claude Code cannot be read; only the exit code blocks.";
}

function whyNotSilent(end: ProcessEnd): string | undefined {
  const failure = whyFailed(end);
  if (failure !== undefined || !end.started) return failure;
  const { exitCode, stdout, stderr } = end;
  if (exitCode !== 0) return `a call that no rule of yours concerns was blocked${quoted(stderr)}`;
  return stdout === "" && stderr === ""
    ? undefined
    : `it says something where it should be silent${quoted(stdout + stderr)}`;
}

function whyFailed(end: ProcessEnd): string | undefined {
  if (!end.started) return end.message;
  if (end.aborted) return "the try was cancelled.";
  return end.timedOut ? `it gave no answer within ${timeoutMs / 1000} seconds.` : undefined;
}

function answerOf(stdout: string): string | undefined {
  try {
    const { hookSpecificOutput: said } = JSON.parse(stdout) as {
      hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
    };
    return said?.permissionDecision === "deny" ? said.permissionDecisionReason : undefined;
  } catch {
    return undefined;
  }
}

function judged(
  level: "warning" | "problem",
  { file, command, args }: InstalledHook,
  why: string,
): SetupFinding {
  return {
    check,
    level,
    message: `The hook in ${file} was tried: ${why}`,
    todo: `Try it yourself: echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | ${command === "/bin/sh" ? args.slice(1).join(" ") : [command, ...args].join(" ")}`,
  };
}

function quoted(text: string): string {
  const short = text.trim().slice(0, 300);
  return short === "" ? "." : `: ${short}`;
}
