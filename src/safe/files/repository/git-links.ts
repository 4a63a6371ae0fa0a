/** How the parts of a repository name each other: linked work trees, submodules, `commondir`, `.git`. */
import { lstatSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { quietly } from "../../../core/run/quietly.ts";

/** A repository knows its linked work trees and submodules; it does not know a stranger's `.git` file. */
export function knowsWorkTree(gitDir: string, top: string): boolean {
  const back = pathInFile(join(gitDir, "gitdir"), /^(.+)$/, gitDir);
  if (back !== undefined && basename(back) === ".git" && quietly(() => realpathSync(dirname(back))) === top)
    return true;
  const config = quietly(() => readFileSync(join(gitDir, "config"), "utf8")) ?? "";
  const workTree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(config)?.[1];
  return workTree !== undefined && quietly(() => realpathSync(resolve(gitDir, workTree))) === top;
}

/** Undefined: it names a place that no linked work tree would. */
export function commonDirOf(gitDir: string): string | undefined {
  const file = join(gitDir, "commondir");
  if (quietly(() => lstatSync(file)) === undefined) return gitDir;
  const named = pathInFile(file, /^(.+)$/, gitDir);
  const real = named === undefined ? undefined : quietly(() => realpathSync(named));
  return real !== undefined && dirname(gitDir) === join(real, "worktrees") ? real : undefined;
}

const maxPathFile = 8 * 1024;

export function readSmall(file: string, stats: Stats | undefined): string | undefined {
  if (stats?.isFile() !== true || stats.size > maxPathFile) return undefined;
  return quietly(() => readFileSync(file, "utf8"));
}

export function pathInFile(file: string, form: RegExp, from: string): string | undefined {
  const text = readSmall(
    file,
    quietly(() => lstatSync(file)),
  )?.replace(/[\r\n]+$/, "");
  const path = text === undefined ? undefined : form.exec(text)?.[1];
  return path === undefined ? undefined : resolve(from, path);
}
