/** Runs the command of a shell handler and tells its output, its complaints and its exit code. */

import type { ToolResult } from "../../../core/call/content.ts";
import { answered, type Failed, failed } from "../../../core/call/tool-answer.ts";
import { isInside } from "../../../core/input/inside-folder.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { workspaceFiles } from "../../../safe/files/workspace-files.ts";
import { findProgram } from "../../../safe/process/find-program.ts";
import { endFacts, howItEnded } from "../../../safe/process/how-it-ended.ts";
import { plainOutput } from "../../../safe/process/plain-output.ts";
import { type EndedProcess, runProcess } from "../../../safe/process/spawn.ts";
import { tellPlanted } from "../../../safe/sandbox/planted.ts";
import { planSandbox, type SandboxPlan } from "../../../safe/sandbox/sandbox-process.ts";
import type { HandlerPlace } from "./prepared-handler.ts";

export interface CommandSettings {
  /** The folder that the author fixed. */
  readonly fixed: string | undefined;
  readonly timeoutMs: number;
  readonly place: HandlerPlace;
}

/** Of each stream; the gate cuts further and keeps this in a file. */
const maxOutputBytes = 1024 * 1024;
/** What a command may write before it counts as one that will never stop. */
const hardMaxBytes = 64 * 1024 * 1024;

/** Programs must not wait for a person or draw for a terminal: there is none. */
const withoutTerminal = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
};

export async function runCommand(
  args: readonly string[],
  { fixed, timeoutMs, place }: CommandSettings,
  context: ToolContext,
): Promise<ToolResult> {
  const folder = fixed === undefined ? await workingFolder(context) : { ok: true as const, absolute: fixed };
  if (!folder.ok) return failed(folder);
  const sh = findProgram("sh", context.roots);
  if (sh === undefined) {
    const message = "There is no sh on this machine outside of the workspace. Install one.";
    return failed({ code: "command_not_found", message });
  }
  const sandbox = await fence(place, folder.absolute, context);
  if (!sandbox.ok) return failed({ code: "no_sandbox", message: sandbox.message });
  const end = await runProcess({
    command: sh,
    args,
    cwd: folder.absolute,
    env: { ...withoutTerminal, ...place.env },
    timeoutMs,
    maxOutputBytes,
    hardMaxBytes,
    signal: context.signal,
    sandbox,
  });
  if (end.started) for (const line of tellPlanted(end.planted, folder.absolute)) context.note(line);
  return end.started ? toResult(end, timeoutMs, folder.absolute) : failed(end);
}

type Folder = { readonly ok: true; readonly absolute: string } | Failed;

/** Checked once more: rules judged relative paths from this folder, so the command runs here. */
async function workingFolder(context: ToolContext): Promise<Folder> {
  const { cwd, signal } = context;
  const found = await workspaceFiles(context).stat(cwd, { cwd, signal });
  if (!found.ok) return found;
  if (found.kind === "directory") return found;
  return { ok: false, code: "not_a_directory", message: `${JSON.stringify(cwd)} is not a folder.` };
}

async function fence(
  { sandbox, hidden, folder }: HandlerPlace,
  cwd: string,
  { roots, opened }: ToolContext,
): Promise<SandboxPlan | { readonly ok: false; readonly message: string }> {
  const { mode, network } = sandbox?.() ?? { mode: "off", network: false };
  return planSandbox({
    mode,
    writableRoots: roots,
    // Scripts beside the plugin file.
    readOnlyRoots: [folder, cwd].filter((path) => !roots.some((root) => isInside(path, root))),
    protectedPaths: { hidden: hidden ?? [], shown: opened.map(({ path }) => path) },
    network,
  });
}

/**
 * The streams stay apart, because a program's answer is one and its complaints are the other. An author who
 * does not mind an exit code says so (`|| true`), so any other is an error of the tool, with all that was
 * written before it.
 */
function toResult(end: EndedProcess, timeoutMs: number, cwd: string): ToolResult {
  const stdout = plainOutput(end.stdout).trimEnd();
  const stderr = plainOutput(end.stderr).trimEnd();
  const ran = end.exitCode === 0 && !end.timedOut && !end.flooded && !end.aborted;
  const parts: string[] = [];
  if (stdout !== "" || stderr === "") parts.push(stdout === "" ? "(no output)" : stdout);
  if (stderr !== "") parts.push(`[stderr]\n${stderr}`);
  if (!ran) parts.push(`[${howItEnded(end)}]`);
  if (end.timedOut)
    parts.push(`[This tool's commands have ${exactDuration(timeoutMs)}; ask for less at once.]`);
  if (end.flooded) parts.push("[It wrote too much; ask for less at once.]");
  parts.push(...tellPlanted(end.planted, cwd));
  return answered(parts.join("\n"), endFacts(end), !ran || end.planted.length > 0);
}
