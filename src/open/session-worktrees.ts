/** Work trees of git for sessions: made on a branch of their own, and taken away when nothing would be lost. */
import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Folders } from "../config/folders.ts";
import { ToolgateError } from "../core/call/errors.ts";
import type { WorktreeEnd } from "../sessions/create-sessions.ts";
import { type Git, openGit } from "../sources/builtin/git/open-git.ts";

/** Beside toolgate's own folders, which no agent may write to. */
export function worktreesFolder({ data }: Pick<Folders, "data">): string {
  return join(dirname(data), "toolgate-worktrees");
}

/** Throws a ToolgateError that says why there can be none. */
export async function makeWorktree(
  folder: string,
  sessionId: string,
  folders: Pick<Folders, "data">,
): Promise<string> {
  const git = await repositoryOf(folder);
  const { top } = git.repository;
  const place = join(worktreesFolder(folders), basename(top), sessionId);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const end = await git.run(["worktree", "add", "--quiet", "-b", branchOf(sessionId), place, "HEAD"], {
    timeoutMs: 120_000,
  });
  if (!end.ok)
    throw new ToolgateError(
      /not a valid object name|invalid reference/.test(end.message)
        ? `${top} has no commit yet, and a work tree begins with the last one. Commit something first.`
        : end.message,
    );
  return place;
}

/** Git itself refuses to remove one with changes; commits stay on their branch. */
export async function removeWorktree(
  worktree: string,
  project: string,
  sessionId: string,
): Promise<WorktreeEnd> {
  const git = await repositoryOf(project);
  const end = await git.run(["worktree", "remove", worktree], { timeoutMs: 120_000 });
  if (!end.ok) return { path: worktree, state: "kept", why: end.message };
  // Only where it holds nothing that is not in the folder's own branch.
  const gone = await git.run(["branch", "--delete", branchOf(sessionId)]);
  return {
    path: worktree,
    state: "removed",
    ...(!gone.ok && { why: `The branch ${branchOf(sessionId)} has commits and stays.` }),
  };
}

function branchOf(sessionId: string): string {
  return `toolgate/${sessionId}`;
}

async function repositoryOf(folder: string): Promise<Git> {
  const git = await openGit(folder, { roots: [folder], signal: new AbortController().signal });
  if ("message" in git) throw new ToolgateError(git.message);
  return git;
}
