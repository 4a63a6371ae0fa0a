/** Finds the repository that git would find: `.git` in the folder, the folder itself, then one folder up. */

import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../../core/input/inside-folder.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { commonDirOf, knowsWorkTree, pathInFile, readSmall } from "./git-links.ts";

export interface FoundRepository {
  /** The folder that holds `.git`. */
  readonly top: string;
  readonly gitDir: string;
  /** Where configuration and hooks are; another folder than `gitDir` in a linked work tree. */
  readonly commonDir: string;
}

export type Found = FoundRepository | { readonly problem: string } | undefined;

/** Undefined: git finds none, and ends. `folder` is absolute. */
export function findRepository(folder: string, roots: readonly string[]): Found {
  const start = quietly(() => realpathSync(folder));
  if (start === undefined) return undefined;
  for (let top = start; ; top = dirname(top)) {
    const found = repositoryAt(top, roots);
    if (found !== undefined) return found;
    if (dirname(top) === top) return undefined;
  }
}

/** What stands in this very folder. */
export function repositoryAt(top: string, roots: readonly string[]): Found {
  const entry = join(top, ".git");
  const stats = quietly(() => lstatSync(entry));
  if (stats !== undefined) {
    const found = stats.isDirectory() ? ownGitDir(top, entry) : linkedGitDir(top, entry, stats, roots);
    if (found !== undefined) return found;
  }
  // Every folder of a work tree can look like this, so whoever writes files chooses what git runs.
  return shapeOf(top) === "none" ? undefined : { problem: `${top} is laid out like a repository itself` };
}

function ownGitDir(top: string, gitDir: string): Found {
  const shape = shapeOf(gitDir);
  if (shape === "none") return undefined;
  if (shape === "odd") return { problem: "the .git of this folder is no ordinary repository" };
  if (exists(join(gitDir, "commondir"))) return { problem: ".git/commondir leads to another repository" };
  return { top, gitDir, commonDir: gitDir };
}

/** A `.git` that is a file or a link: of a submodule, of a linked work tree, or of an attacker. */
function linkedGitDir(top: string, entry: string, stats: Stats, roots: readonly string[]): Found {
  const odd = { problem: "the .git of this folder leads to something that is no ordinary repository" };
  const target = stats.isSymbolicLink() ? entry : pathInFile(entry, /^gitdir: (.+)$/, top);
  const gitDir = target === undefined ? undefined : quietly(() => realpathSync(target));
  if (gitDir === undefined || shapeOf(gitDir) !== "repository") return odd;
  const commonDir = commonDirOf(gitDir);
  if (commonDir === undefined)
    return { problem: "the .git of this folder leads to another repository by commondir" };
  const inside = roots.some((root) => isInside(gitDir, realFolder(root)));
  if (!inside && !knowsWorkTree(gitDir, top))
    return { problem: "the .git of this folder leads to a repository that does not know this folder" };
  return { top, gitDir, commonDir };
}

/** `odd`: git may or may not take it for a repository, and then look further up. */
function shapeOf(folder: string): "repository" | "odd" | "none" {
  const head = join(folder, "HEAD");
  const stats = quietly(() => lstatSync(head));
  if (stats === undefined) return "none";
  const isFolder = (name: string) => quietly(() => statSync(join(folder, name)))?.isDirectory() === true;
  const common = exists(join(folder, "commondir"));
  if (!common && !(isFolder("objects") && isFolder("refs"))) return "none";
  const text = stats.isSymbolicLink()
    ? `ref: ${quietly(() => readlinkSync(head)) ?? ""}`
    : (readSmall(head, stats) ?? "");
  return /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(text) ? "repository" : "odd";
}

function exists(path: string): boolean {
  return quietly(() => lstatSync(path)) !== undefined;
}

export function realFolder(folder: string): string {
  return quietly(() => realpathSync(folder)) ?? folder;
}
