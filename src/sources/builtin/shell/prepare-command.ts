/** Turns a line and a folder into what `spawn` needs: shell, verified folder, environment, sandbox. */
import type { Failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { workspaceFiles } from "../../../safe/files/workspace-files.ts";
import type { ProcessOptions } from "../../../safe/process/spawn.ts";
import { planSandbox } from "../../../safe/sandbox/sandbox-process.ts";
import type { ShellSettings } from "./options.ts";
import { shellCommand } from "./shell-program.ts";

export type Prepared = { readonly ok: true; readonly process: ProcessOptions } | Failed;

export interface Wanted {
  readonly line: string;
  readonly folder: string | undefined;
  readonly background: boolean;
}

/** Programs must not wait for a person or draw for a terminal: there is none. */
const withoutTerminal = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
};

export function createPrepare(settings: ShellSettings) {
  let noted = false;
  return async ({ line, folder, background }: Wanted, context: ToolContext): Promise<Prepared> => {
    const { cwd, roots, signal, opened } = context;
    const place = await workspaceFiles(context).stat(folder ?? cwd, { cwd, signal });
    if (!place.ok) return { ok: false, code: place.code, message: place.message };
    if (place.kind !== "directory") {
      const message = `${JSON.stringify(folder)} is not a folder. Give a folder of the workspace as cwd, or leave it out.`;
      return { ok: false, code: "not_a_directory", message };
    }
    const shell = shellCommand(line, settings.shell, roots);
    if (!shell.ok) return shell;
    const { mode, network } = settings.sandbox();
    const sandbox = await planSandbox({
      mode,
      writableRoots: roots,
      protectedPaths: { hidden: settings.hidden, shown: opened.map(({ path }) => path) },
      network,
      stays: background,
    });
    if (!sandbox.ok) return { ok: false, code: "no_sandbox", message: sandbox.message };
    if (sandbox.note !== undefined && !noted) {
      noted = true;
      settings.onNote?.(sandbox.note);
    }
    const { command, args } = shell;
    const { env, allowEnv } = settings;
    return {
      ok: true,
      process: { command, args, cwd: place.absolute, env: { ...withoutTerminal, ...env }, allowEnv, sandbox },
    };
  };
}
