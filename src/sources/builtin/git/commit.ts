/** git.commit: commits what is staged, paths, or everything. Runs programs only if the operator says so. */
import { answered, type Failure, failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { PathLocks } from "../../../safe/files/path-locks.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag, nonEmpty, pathList } from "../input-fields.ts";
import { fullCommit } from "./commit/full-commit.ts";
import { plainCommit } from "./commit/plain-commit.ts";
import { whatToStage } from "./commit/stage.ts";
import { namesIn, shownNames } from "./files-on-disk.ts";
import { diffOptions } from "./hardening.ts";
import type { Git, Named } from "./open-git.ts";
import { choosePaths, openGitAt, pathspec } from "./place.ts";

export interface CommitOptions {
  /**
   * Run what the repository and the person's configuration name for a commit: hooks, filters, signing. Only
   * for repositories you trust as you trust your own code: a cloned one can name any program. Default false.
   */
  readonly runCommitPrograms?: boolean;
}

export function createCommit(locks: PathLocks, { runCommitPrograms = false }: CommitOptions = {}) {
  return defineBuiltin("git.commit", {
    title: "Git commit",
    description:
      "Commits with the given message: what is staged; with paths, these files and folders only, new ones included; with all, every change. " +
      (runCommitPrograms ? "Hooks of the repository run." : "Hooks, filters and signing are not run."),
    input: closed(["message"], {
      message: nonEmpty("First line short; then an empty line and the rest.", 50_000),
      paths: pathList(1_000, "What to commit instead of what is staged."),
      all: flag("Commit every change, new files included. Default false."),
    }),
    synonyms: { paths: ["files", "file_paths"] },
    timeoutMs: 600_000,
    validate: ({ message, paths, all = false }) => {
      if (all && paths !== undefined) return "give either paths or all.";
      return message.trim() === "" ? "the message is empty." : undefined;
    },
    run: async ({ message, paths, all = false }, context) => {
      const git = await openGitAt(undefined, context);
      if ("message" in git) return failed(git);
      const wanted = { message: cleaned(message), paths, all };
      // Before git's own lock: that one makes the second fail instead of wait.
      const { committed, notes } = await locks.holding([git.repository.commonDir], context.signal, () =>
        commit(git, wanted, runCommitPrograms, context),
      );
      if (!committed.ok) return failed(committed);
      const stat = await git.run(["show", "--format=%h %s", "--shortstat", ...diffOptions, committed.id]);
      const summary = stat.ok ? stat.stdout.toString().trim().replace(/\n+/g, "\n") : committed.id;
      const hooks = runCommitPrograms ? [] : ["[Hooks, filters and signing were not run.]"];
      const text = [`Committed ${summary}`, ...notes, ...hooks].join("\n");
      return answered(text, { commit: committed.id });
    },
  });
}

interface Wanted {
  readonly message: string;
  readonly paths: readonly string[] | undefined;
  readonly all: boolean;
}

async function commit(
  git: Git,
  { message, paths, all }: Wanted,
  withPrograms: boolean,
  context: ToolContext,
): Promise<{ committed: Named; notes: readonly string[] }> {
  const stop = (failure: Failure) => ({ committed: { ok: false as const, ...failure }, notes: [] });
  const chosen = choosePaths(git.repository, paths ?? [], context);
  if (!chosen.ok) return stop(chosen);
  // Of a repository that is larger than the workspace, only the workspace's part is ours to commit.
  const only = paths !== undefined || git.repository.within.length > 0;
  const add =
    paths === undefined && !all ? undefined : chosen.pathspecs.length > 0 ? chosen.pathspecs : [pathspec("")];
  if (add === undefined) {
    const foreign = await stagedOutside(git, chosen.pathspecs);
    if (foreign !== undefined) return stop(foreign);
  }
  if (withPrograms) {
    const committed = await fullCommit(git, { message, add, only });
    return { committed, notes: committed.said ? [committed.said] : [] };
  }
  if (add === undefined)
    return { committed: await plainCommit(git, { message, staging: undefined, only: false }), notes: [] };
  const named = (paths ?? []).map((_, index) => (add[index] ?? "").slice(pathspec("").length));
  const staging = await whatToStage(git, add, named);
  if ("message" in staging) return stop(staging);
  const { present, gone, notes } = staging;
  if (paths !== undefined && present.length + gone.length + notes.length === 0) {
    const message = "Nothing to commit: none of these paths has changed. git.status shows what has.";
    return stop({ code: "nothing_to_commit", message });
  }
  return { committed: await plainCommit(git, { message, staging, only }), notes };
}

/** What others staged outside of the workspace is not this session's to commit. */
async function stagedOutside(git: Git, within: readonly string[]): Promise<Failure | undefined> {
  if (within.length === 0) return undefined;
  const names = async (pathspecs: readonly string[]) =>
    git.run(["diff", "--cached", "--name-only", "-z", "--no-renames", ...diffOptions, "--", ...pathspecs]);
  const [all, own] = [await names([]), await names(within)];
  if (!all.ok) return all;
  if (!own.ok) return own;
  const known = new Set(namesIn(own.stdout));
  const foreign = namesIn(all.stdout).filter((name) => !known.has(name));
  if (foreign.length === 0) return undefined;
  const message = `Files outside of the workspace are staged (${shownNames(foreign)}). Commit by paths, or with all.`;
  return { code: "outside_root", message };
}

/** As git does by itself: no blanks at line ends, no empty lines around, one line break at the end. */
function cleaned(message: string): string {
  const lines = message.split(/\r\n|[\r\n]/).map((line) => line.trimEnd());
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}
