/**
 * Tells before a git command runs whether the repository that git would find makes it run a program. Asked
 * for every git command, so it reads a few small files and nothing else; files are read anew each time,
 * because whoever changes one between two calls must not be overlooked.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { isInside } from "../../../core/input/inside-folder.ts";
import type { LookAtRepository, RepositoryUse } from "../../../core/ports/repository.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { protectedReason } from "../inside-root/protected-names.ts";
import { partsOf } from "../inside-root/request-path.ts";
import { concernOf } from "./config-keys.ts";
import { type FoundRepository, findRepository, realFolder, repositoryAt } from "./find-git-dir.ts";
import { repositoriesInIndex } from "./git-index.ts";
import { findHook } from "./hooks.ts";
import { inFull, type ReadEntry, readConfig } from "./read-config.ts";
import { resolvePathspecs } from "./resolve-pathspecs.ts";

type Needs = Pick<RepositoryUse, "parts" | "hooks" | "remotes" | "before">;

export const lookAtRepository: LookAtRepository = (use, { cwd, roots }) => {
  const reads: string[] = [];
  const writes: string[] = [];
  let problem: string | undefined;
  let unknownPaths = false;
  for (const directory of use.directories) {
    const home = /^~(?:\/|$)/.test(directory);
    const folder = home ? join(homedir(), directory.slice(1)) : resolve(cwd, directory);
    const found = existsSync(folder)
      ? findRepository(folder, roots)
      : { problem: `${folder} is not there yet` };
    const repository = found === undefined || "problem" in found ? undefined : found;
    problem ??= found !== undefined && "problem" in found ? found.problem : undefined;
    if (found === undefined && use.before === "layout") problem ??= mayChange;
    if (repository !== undefined)
      problem ??= isOfWorkspace(repository.top, roots)
        ? (changedProblem(repository, folder, use) ?? problemOf(repository, use, roots, 0))
        : `${repository.top} is not the repository of the workspace`;
    for (const [specs, list] of [
      [use.reads, reads],
      [use.writes, writes],
    ] as const) {
      const resolved = resolvePathspecs(specs, folder, repository, use.untracked);
      list.push(...resolved.paths);
      unknownPaths ||= resolved.unknown;
    }
  }
  return { reads, writes, unknownPaths, ...(problem !== undefined && { problem }) };
};

/** The workspace holds it, or is a part of it. */
function isOfWorkspace(top: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const real = realFolder(root);
    return isInside(top, real) || isInside(real, top);
  });
}

/** In the top folder `.git` comes first, whatever else is there. A folder below can become a repository. */
function changedProblem(
  { top }: FoundRepository,
  folder: string,
  { before }: RepositoryUse,
): string | undefined {
  if (before !== "layout" || realFolder(folder) === top) return undefined;
  return mayChange;
}

const mayChange = "the line may change which repository git finds";

function problemOf(
  repository: FoundRepository,
  needs: Needs,
  roots: readonly string[],
  depth: number,
): string | undefined {
  const config = readConfig(repository);
  if ("problem" in config) return config.problem;
  const { entries, files } = config;
  const { top, gitDir } = repository;
  const shared = files.find((file) => isInWorkTree(file, top, gitDir));
  if (needs.before !== "nothing" && shared !== undefined)
    return `the line may change ${relative(top, shared)}, which is part of its configuration`;
  return (
    keyProblem(repository, entries, needs) ??
    hookProblem(repository, entries, needs) ??
    remoteProblem(repository, entries, needs) ??
    (needs.parts.includes("steps") ? stepsProblem(repository.gitDir) : undefined) ??
    (needs.parts.includes("submodules") ? submoduleProblem(repository, needs, roots, depth) : undefined)
  );
}

function keyProblem(
  { top, gitDir }: FoundRepository,
  entries: readonly ReadEntry[],
  { parts, hooks }: Needs,
): string | undefined {
  // A partial clone asks its remote for whatever is missing, also when something is only read.
  const fetches = entries.some(
    ({ section, key, value }) =>
      (section === "extensions" && key === "partialclone") ||
      (section === "remote" && key === "promisor" && !/^(?:false|no|off|0)$/i.test(value)),
  );
  for (const entry of entries) {
    const concern = concernOf(entry);
    const counts =
      concern === "always" ||
      (concern === "hooks" && entry.section === "hook" && hooks.length > 0) ||
      (concern === "transport" && fetches) ||
      (concern !== undefined && concern !== "hooks" && parts.includes(concern));
    const where = `${keyName(entry)} in ${relative(top, entry.file) || entry.file}`;
    if (counts) return `${where} may run a program`;
    if (leadsElsewhere(entry, top, gitDir)) return `${where} leads elsewhere`;
    if (quotesFile(entry) && protectedReason(partsOf(resolve(top, entry.value)), "read") !== undefined)
      return `${where} names a protected file`;
  }
  return undefined;
}

/** Included from among the files that everybody may write. */
function isInWorkTree(file: string, top: string, gitDir: string): boolean {
  return isInside(file, top) && !isInside(file, gitDir) && !isInside(file, join(top, ".git"));
}

function leadsElsewhere({ section, name, key, value }: ReadEntry, top: string, gitDir: string): boolean {
  if (section !== "core" || name !== undefined || key !== "worktree") return false;
  return quietly(() => realpathSync(resolve(gitDir, value))) !== top;
}

/** What stands in such a file comes out again, in a message about what is wrong with it if nowhere else. */
function quotesFile({ section, key }: ReadEntry): boolean {
  return (section === "blame" && key === "ignorerevsfile") || (section === "commit" && key === "template");
}

function hookProblem(
  { top, commonDir }: FoundRepository,
  entries: readonly ReadEntry[],
  { hooks: names, before }: Needs,
): string | undefined {
  if (names.length === 0) return undefined;
  const folders = entries
    .filter(({ section, key }) => section === "core" && key === "hookspath")
    .map(({ value }) => inFull(value, top));
  if (folders.includes(undefined)) return "core.hooksPath names a folder that nobody can find";
  if (folders.length > 0 && before === "layout") return "the line may put a hook into core.hooksPath";
  for (const folder of folders.length === 0 ? [join(commonDir, "hooks")] : folders) {
    const hook = findHook(folder as string, names);
    if (hook !== undefined) return `it runs the hook ${hook} in ${relative(top, folder as string) || "."}`;
  }
  return undefined;
}

function remoteProblem(
  { commonDir }: FoundRepository,
  entries: readonly ReadEntry[],
  { parts, remotes }: Needs,
): string | undefined {
  if (!parts.includes("transport")) return undefined;
  for (const wanted of remotes) {
    const known = entries.some(
      ({ section, name, key }) => section === "remote" && name === wanted && key === "url",
    );
    if (!known) return `${wanted} is no remote of this repository, so git takes it for a path`;
  }
  // An old way to name remotes.
  const old = ["remotes", "branches"].find(
    (folder) => (quietly(() => readdirSync(join(commonDir, folder))) ?? []).length > 0,
  );
  return old === undefined ? undefined : `.git/${old} names remotes`;
}

function stepsProblem(gitDir: string): string | undefined {
  return quietly(() => {
    const file = join(gitDir, "rebase-merge", "git-rebase-todo");
    if (!statSync(file).isFile()) return "the steps of the rebase under way cannot be read";
    const steps = readFileSync(file, "utf8");
    return /^\s*(?:x|exec)\b/m.test(steps) ? "the rebase under way runs commands" : undefined;
  });
}

const maxDepth = 4;
const maxSubmodules = 64;

/** git looks into submodules by itself, and each has configuration of its own. */
function submoduleProblem(
  { top, gitDir }: FoundRepository,
  needs: Needs,
  roots: readonly string[],
  depth: number,
): string | undefined {
  const submodules = repositoriesInIndex(gitDir);
  if (submodules === undefined) return "its index cannot be read";
  if (submodules.length === 0) return undefined;
  if (depth >= maxDepth || submodules.length > maxSubmodules) return "it has too many submodules to look at";
  for (const path of submodules) {
    const found = repositoryAt(join(top, path), roots);
    if (found === undefined) continue;
    const inside = { ...needs, remotes: [] };
    const problem = "problem" in found ? found.problem : problemOf(found, inside, roots, depth + 1);
    if (problem !== undefined) return `in the submodule ${path}, ${problem}`;
  }
  return undefined;
}

function keyName({ section, name, key }: ReadEntry): string {
  return name === undefined ? `${section}.${key}` : `${section}.${name}.${key}`;
}
