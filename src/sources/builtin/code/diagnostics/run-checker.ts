/** Runs one checker and reads what it found; whatever it leaves running is ended with it. */

import { dirname, isAbsolute, resolve } from "node:path";
import type { Failed } from "../../../../core/call/tool-answer.ts";
import { exactDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ToolContext } from "../../../../core/tool/tool.ts";
import { shownPath } from "../../../../safe/files/workspace-files.ts";
import { type EndedProcess, runProcess } from "../../../../safe/process/spawn.ts";
import { findBubblewrap } from "../../../../safe/sandbox/find-bubblewrap.ts";
import { tellPlanted } from "../../../../safe/sandbox/planted.ts";
import { planSandbox, type SandboxPlan } from "../../../../safe/sandbox/sandbox-process.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { CodeSettings, OutputForm } from "./options.ts";
import { parseOutput } from "./parse-output.ts";

export interface CheckerRun {
  /** How it is called in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly form: OutputForm;
  /** Compilers and linters with a cache want to write it; our own call of tsc does not. */
  readonly writes: boolean;
}

export type CheckerEnd =
  | { readonly ok: true; readonly diagnostics: readonly Diagnostic[]; readonly flooded: boolean }
  | Failed;

const maxOutputBytes = 8 * 1024 * 1024;

export function createRunChecker(settings: CodeSettings) {
  let noted = false;
  return async (run: CheckerRun, context: ToolContext): Promise<CheckerEnd> => {
    const sandbox = await planSandbox({
      mode: settings.sandbox(),
      writableRoots: run.writes ? context.roots : [],
      // The program may lie where the sandbox has a folder of its own (/tmp), and so may the workspace.
      readOnlyRoots: [...(run.writes ? [] : context.roots), dirname(process.execPath)],
      protectedPaths: { hidden: settings.hidden },
      network: false,
      findBwrap: () => findBubblewrap(context.roots),
    });
    if (!sandbox.ok) return { ok: false, code: "no_sandbox", message: sandbox.message };
    if (sandbox.note !== undefined && !noted) {
      noted = true;
      settings.onNote?.(sandbox.note);
    }
    context.progress({ message: `${run.name} is running` });
    return runNow(run, sandbox, settings.timeoutMs, context);
  };
}

async function runNow(
  { name, command, args, cwd, form }: CheckerRun,
  sandbox: SandboxPlan,
  timeoutMs: number,
  context: ToolContext,
): Promise<CheckerEnd> {
  const { signal } = context;
  const limits = { timeoutMs, maxOutputBytes, hardMaxBytes: maxOutputBytes * 2 };
  const env = { NO_COLOR: "1", TERM: "dumb" };
  const end = await runProcess({ command, args, cwd, env, sandbox, signal, ...limits });
  if (!end.started) return { ok: false, code: end.code, message: end.message };
  for (const line of tellPlanted(end.planted, cwd)) context.note(line);
  if (end.aborted)
    return { ok: false, code: "cancelled", message: `${name} was stopped: the call was cancelled.` };
  if (end.timedOut) {
    const message = `${name} took longer than ${exactDuration(timeoutMs)} and was stopped. Name fewer files, or let the operator raise timeoutMs.`;
    return { ok: false, code: "timed_out", message };
  }
  const found = parseOutput(form, end);
  // Findings make most checkers end with another code than 0, so the code alone says nothing.
  if (found === undefined || (found.length === 0 && end.exitCode !== 0 && !end.flooded))
    return broken(name, end);
  const diagnostics = found.map((one) => ({ ...one, file: shown(one.file, cwd, context) }));
  return { ok: true, diagnostics, flooded: end.flooded };
}

function broken(name: string, end: EndedProcess): CheckerEnd {
  const said = `${end.stderr}\n${end.stdout}`.trim();
  const text = visible(said, { keepNewlines: true, maxLength: 2_000 });
  const how = end.exitCode === null ? `was ended by ${end.signal}` : `ended with code ${end.exitCode}`;
  const message = `${name} ${how} and nothing it printed could be read as a finding.${text === "" ? "" : ` It said:\n${text}`}`;
  return { ok: false, code: "checker_failed", message };
}

function shown(file: string, cwd: string, context: ToolContext): string {
  if (file === "") return "";
  return shownPath(isAbsolute(file) ? file : resolve(cwd, file), context);
}
