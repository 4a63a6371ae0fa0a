/** Looks at one entry of ours: is the program there, and does the client wait for its answer each time? */
import { accessSync, constants, existsSync } from "node:fs";
import type { InstalledHook } from "../../agent-setup.ts";
import { timeoutSeconds } from "../../set-up/hook-lines.ts";
import { problem, type SetupFinding, warning } from "../../setup-finding.ts";
import { type HookEntry, isWrittenLine } from "./hook-entries.ts";

const reinstall = "Run: toolgate install claude-code";

export function checkEntry(hook: HookEntry, start: InstalledHook): SetupFinding[] {
  return [
    ...checkForm(hook, start),
    ...checkFiles(hook, start),
    ...checkPlace(hook, start),
    ...checkManner(hook, start),
  ];
}

/** What `install` writes, and nothing else: of any other line nobody knows whether a denial still arrives. */
function checkForm(hook: HookEntry, { file, command }: InstalledHook): SetupFinding[] {
  const { event, entry } = hook;
  const found = (message: string, todo: string) => [problem("hook-entry", `${file}: ${message}`, todo)];
  if (entry.type !== "command")
    return found(
      `the hook of toolgate for ${event} is of the type ${JSON.stringify(entry.type)} instead of "command": it does not start toolgate.`,
      `Remove it. ${reinstall}`,
    );
  // Dangerous not here but in other programs that read the same file.
  if (entry.args !== undefined)
    return found(
      `the hook is dangerous. Other agents read this file and ignore "args": they start ${command} alone, and what an agent reads or calls runs there as a script.`,
      `${reinstall} (it replaces the entry by one line without "args").`,
    );
  if (isWrittenLine(hook)) return [];
  return found(
    `the line of the hook for ${event} is not the one that toolgate writes, so its answer may be lost: ${JSON.stringify(entry.command)}`,
    `Remove this entry. ${reinstall}`,
  );
}

/** Those that `install` writes, and those that have a check of their own. */
const knownFields = ["type", "command", "args", "timeout", "onFailure", "statusMessage"];
const checkedFields = ["async", "asyncRewake", "once", "shell", "if"];

function checkFiles({ event }: HookEntry, { file, words }: InstalledHook): SetupFinding[] {
  const then = event === "PreToolUse" ? ": every call is blocked or unchecked" : "";
  const todo = `${reinstall} (in a clone first: npm run build).`;
  const found = (message: string) => [problem("hook-file", `${file} ${message}${then}.`, todo)];
  // What a shell makes of it, only a try can tell.
  if (words === undefined) return [];
  const [program = ""] = words;
  const scripts = words.filter((word) => /hook\.(cjs|sh)$/.test(word));
  // The script starts what lies beside it, with the node that follows the agent's name.
  const beside = scripts.map((script) => script.replace(/hook\.sh$/, "hook.cjs"));
  const node = /hook\.sh$/.test(program) ? (words[2] ?? "") : "";
  const needed = [...scripts, ...beside, ...(node.includes("/") ? [node] : [])];
  const missing = [...(program.includes("/") ? [program] : []), ...needed].find((one) => !existsSync(one));
  if (missing !== undefined) return found(`names ${missing}, which is not there`);
  if (scripts[0] === program && !isExecutable(program))
    return found(`names ${program}, which is not executable`);
  return [];
}

/** What `install` wrote before it made copies: the hook of a package, which may be moved or deleted any day. */
function checkPlace({ entry }: HookEntry, { file, words }: InstalledHook): SetupFinding[] {
  const [program = ""] = words ?? [];
  // One below a variable belongs to a project or a plugin.
  const isInPackage =
    /\/dist\/hook\/hook\.(cjs|sh)$/.test(program) && !String(entry.command).startsWith('"$');
  if (!isInPackage || !existsSync(program)) return [];
  return [
    warning(
      "hook-place",
      `${file} names ${program}, a file of a package: when that is moved or deleted, every call is blocked.`,
      `${reinstall} (it names a copy that stays).`,
    ),
  ];
}

function checkManner({ event, matcher, entry }: HookEntry, { file, words }: InstalledHook): SetupFinding[] {
  if (event !== "PreToolUse") return [];
  const found: SetupFinding[] = [];
  const add = (made: typeof problem, message: string, todo = reinstall) =>
    found.push(made("hook-entry", `${file}: ${message}`, todo));
  if (entry.onFailure !== "block")
    add(problem, 'the hook has no "onFailure": "block", so a call runs unchecked when the hook fails.');
  if (entry.async === true || entry.asyncRewake === true)
    add(problem, 'the hook is "async": the call does not wait for its answer.');
  if (entry.once === true) add(problem, 'the hook runs "once" in a session: later calls are not checked.');
  if (entry.shell !== undefined && entry.shell !== "bash")
    add(
      problem,
      `the hook is for the shell ${JSON.stringify(entry.shell)}, which does not understand its line.`,
    );
  if (matcher !== undefined)
    add(
      problem,
      `only tools that match ${JSON.stringify(matcher)} are checked.`,
      "Remove the matcher to check all tools.",
    );
  if (entry.if !== undefined)
    add(
      problem,
      `only calls that match ${JSON.stringify(entry.if)} are checked.`,
      'Remove "if" to check all calls.',
    );
  for (const field of Object.keys(entry))
    if (![...knownFields, ...checkedFields].includes(field))
      add(problem, `the hook has a field ${JSON.stringify(field)}, which toolgate does not write.`);
  const { timeout } = entry;
  const wait = waitIn(words);
  if (typeof timeout !== "number")
    add(warning, 'the hook has no "timeout": a hook that hangs holds each call for ten minutes.');
  else if (timeout < wait)
    add(
      problem,
      `the hook has ${timeout} seconds ("timeout") and needs ${wait}: a call is blocked, or with some values unchecked, before it has answered.`,
    );
  return found;
}

/** How long our script waits for the server, as its line says; at least what a process needs. */
function waitIn(words: readonly string[] | undefined): number {
  const at = words?.findIndex((word) => /hook\.sh$/.test(word)) ?? -1;
  const said = at === -1 ? Number.NaN : Number(words?.[at + 3]);
  return Number.isFinite(said) ? Math.max(said, timeoutSeconds) : timeoutSeconds;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
