/** Opens the repository of a folder for one call: git that cannot run another program. */

import type { Failed, Failure } from "../../../core/call/tool-answer.ts";
import { exactDuration } from "../../../core/text/duration.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { findProgram } from "../../../safe/process/find-program.ts";
import { runProcess } from "../../../safe/process/spawn.ts";
import { fixedEnvironment, fixedSettings, onlyNamedRepositories } from "./hardening.ts";
import { switchOff } from "./named-helpers.ts";
import { findRepository, type Repository } from "./repository.ts";

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Besides those that switch programs off. */
  readonly settings?: readonly string[];
  /** More output than this ends git: the answer is then cut, or refused where it must be whole. */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Run what the repository names: hooks, filters, signing. */
  readonly asConfigured?: boolean;
}

export type GitEnd =
  | { readonly ok: true; readonly stdout: Buffer; readonly stderr: string; readonly cut: boolean }
  | (Failed & { readonly exitCode?: number });

/** The name of an object or of a checkpoint. */
export type Named = { readonly ok: true; readonly id: string } | Failed;

/** What git printed, if it is one name. */
export function nameIn(end: GitEnd): Named {
  return end.ok ? { ok: true, id: end.stdout.toString().trim() } : end;
}

/** For lists of all files; a longer one is cut. */
export const maxListBytes = 64 * 1024 * 1024;

export interface Git {
  readonly repository: Repository;
  /** Names of the filters that configuration defines, none of which runs. */
  readonly filters: readonly string[];
  run(args: readonly string[], options?: GitOptions): Promise<GitEnd>;
}

const defaultMaxBytes = 4 * 1024 * 1024;

/** `folder` is real and inside the roots. */
export async function openGit(
  folder: string,
  context: Pick<ToolContext, "roots" | "signal">,
): Promise<Git | Failure> {
  const { roots, signal } = context;
  const program = findProgram("git", roots);
  if (program === undefined) {
    const message =
      "git is not installed on this machine (a git inside the workspace does not count). Install it first.";
    return { code: "no_git", message };
  }
  const repository = findRepository(folder, roots);
  if ("message" in repository) return repository;
  const runner = createRunner(program, repository, signal);
  const keys = await runner(fixedSettings, ["config", "--list", "--name-only", "-z"], {});
  if (!keys.ok) return keys;
  const helpers = switchOff(keys.stdout);
  if ("message" in helpers) return helpers;
  const settings = [...fixedSettings, ...helpers.settings];
  return {
    repository,
    filters: helpers.filters,
    run: (args, options = {}) =>
      runner(
        [...(options.asConfigured === true ? onlyNamedRepositories : settings), ...(options.settings ?? [])],
        args,
        options,
      ),
  };
}

const quietSettings = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: ":" };

function createRunner(program: string, repository: Repository, signal: AbortSignal) {
  const { top, gitDir } = repository;
  // Without a word about the work tree, core.worktree of the repository would say what it is.
  const places = { GIT_DIR: gitDir, GIT_WORK_TREE: top };
  return async (
    settings: readonly string[],
    args: readonly string[],
    options: GitOptions,
  ): Promise<GitEnd> => {
    const { input, env, maxBytes = defaultMaxBytes, timeoutMs = 30_000, asConfigured = false } = options;
    const chunks: Buffer[] = [];
    const end = await runProcess({
      command: program,
      args: ["--no-pager", ...settings.flatMap((setting) => ["-c", setting]), ...args],
      cwd: top,
      // As configured, git finds the repository by itself, and refuses one that belongs to another user.
      env: { ...(asConfigured ? quietSettings : { ...fixedEnvironment, ...places }), ...env },
      signal,
      timeoutMs,
      maxOutputBytes: 16 * 1024,
      hardMaxBytes: maxBytes,
      ...(input !== undefined && { input }),
      // Bytes, not text: file names and contents need not be text.
      onOutput: (chunk, stream) => {
        if (stream === "stdout") chunks.push(chunk);
      },
    });
    if (!end.started) return { ok: false, code: end.code, message: end.message };
    if (end.aborted) return { ok: false, code: "cancelled", message: "git was cancelled." };
    const what = `git ${args[0]}`;
    if (end.timedOut) {
      const message = `${what} did not end within ${exactDuration(timeoutMs)}. Ask for less: a path, fewer commits.`;
      return { ok: false, code: "timed_out", message };
    }
    const stdout = Buffer.concat(chunks).subarray(0, maxBytes);
    if (end.flooded) return { ok: true, stdout, stderr: end.stderr, cut: true };
    if (end.exitCode === 0) return { ok: true, stdout, stderr: end.stderr, cut: false };
    const said =
      end.stderr.trim() || stdout.toString().trim() || `it ended with ${end.exitCode ?? end.signal}`;
    const message = `${what} failed: ${said.slice(0, 2_000)}`;
    const exitCode = end.exitCode ?? undefined;
    return { ok: false, code: "git_failed", message, ...(exitCode !== undefined && { exitCode }) };
  };
}
