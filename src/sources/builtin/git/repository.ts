/** Finds the repository of a folder by ourselves, so that git uses the one that was checked. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Failure } from "../../../core/call/tool-answer.ts";
import { isInside } from "../../../core/input/inside-folder.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { commonDirOf, knowsWorkTree, pathInFile } from "../../../safe/files/repository/git-links.ts";
import { borrowsFromOutside } from "./borrowed-objects.ts";

export interface Repository {
  /** The work tree, links followed. */
  readonly top: string;
  readonly gitDir: string;
  /** Where objects and branches are; another folder than `gitDir` in a linked work tree. */
  readonly commonDir: string;
  /** What of the work tree belongs to the workspace, relative to the top. Empty: all of it. */
  readonly within: readonly string[];
}

/** `folder` is real and inside the roots. Only `.git` counts, not what looks like a bare repository. */
export function findRepository(folder: string, roots: readonly string[]): Repository | Failure {
  for (let top = folder; ; top = dirname(top)) {
    const found = gitDirOf(top);
    if (found !== undefined) return "message" in found ? found : check(top, found, roots);
    if (dirname(top) === top) {
      const message =
        "This folder is not in a git repository. Start one with git init, or name another folder.";
      return { code: "no_repository", message };
    }
  }
}

interface FoundGitDir {
  readonly gitDir: string;
  /** `.git` itself is the folder; else a file or link leads there. */
  readonly plain: boolean;
}

function gitDirOf(top: string): FoundGitDir | Failure | undefined {
  const entry = join(top, ".git");
  const stats = quietly(() => lstatSync(entry));
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return looksLikeGitDir(entry) ? { gitDir: entry, plain: true } : undefined;
  const target = stats.isSymbolicLink() ? entry : pathInFile(entry, /^gitdir: (.+)$/, top);
  const real = target === undefined ? undefined : quietly(() => realpathSync(target));
  if (real !== undefined && looksLikeGitDir(real)) return { gitDir: real, plain: false };
  const message =
    "The .git of this folder leads to something that is no repository. Repair it with git, or name another folder.";
  return { code: "no_repository", message };
}

function check(top: string, { gitDir, plain }: FoundGitDir, roots: readonly string[]): Repository | Failure {
  const inWorkspace = (path: string) => roots.some((root) => isInside(path, root));
  if (!plain && !inWorkspace(gitDir) && !knowsWorkTree(gitDir, top)) {
    const message =
      "The .git of this folder leads to a repository outside of the workspace that does not know this folder. Nothing of it is shown; name another folder.";
    return { code: "outside_root", message };
  }
  const commonDir = commonDirOf(gitDir);
  if (commonDir === undefined || (inWorkspace(commonDir) && borrowsFromOutside(commonDir, inWorkspace))) {
    const message =
      "This repository takes its objects from outside of the workspace (commondir, alternates or a link). Nothing of it is shown.";
    return { code: "outside_root", message };
  }
  const within = inWorkspace(top) ? [] : roots.filter((root) => isInside(root, top));
  return { top, gitDir, commonDir, within: within.map((root) => relative(top, root)) };
}

function looksLikeGitDir(path: string): boolean {
  const isFolder = (name: string) => quietly(() => statSync(join(path, name)))?.isDirectory() === true;
  if (quietly(() => lstatSync(join(path, "HEAD"))) === undefined) return false;
  return (
    quietly(() => lstatSync(join(path, "commondir"))) !== undefined ||
    (isFolder("objects") && isFolder("refs"))
  );
}
