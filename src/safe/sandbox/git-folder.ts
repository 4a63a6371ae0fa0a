/** What git runs because of its own files: the parts of a repository that no sandbox may change. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { quietly } from "../../core/run/quietly.ts";
import { statsOf } from "./roots.ts";

/** `commondir` and `config.worktree` name other configuration, `modules` holds repositories of their own. */
const runningParts = ["config", "config.worktree", "commondir", "hooks", "modules"];
const rebase = "rebase-merge";

/** The parts that are there, and what the configuration names besides. */
export function runningPartsOf(gitFolder: string): string[] {
  const parts = runningParts.map((part) => join(gitFolder, part)).filter(isThere);
  const todo = join(gitFolder, rebase, "git-rebase-todo");
  return runsCommands(todo) ? [...parts, join(gitFolder, rebase)] : parts;
}

/** By its name. */
export function isRunningPart(path: string): boolean {
  return [...runningParts, rebase].includes(basename(path));
}

/** Besides, `worktrees`, because work trees elsewhere trust it. A new one is trusted by nobody. */
export function lockedPartsOf(gitFolder: string): string[] {
  return [...runningPartsOf(gitFolder), ...[join(gitFolder, "worktrees")].filter(isThere)];
}

/** Places elsewhere that the configuration makes git run or read as configuration, there or not. */
export function placesNamedBy(gitFolder: string, home = homedir()): string[] {
  const top = basename(gitFolder) === ".git" ? dirname(gitFolder) : gitFolder;
  const own = readText(join(gitFolder, "config")) ?? "";
  const ofUser = [join(home, ".gitconfig"), join(home, ".config/git/config")].map(
    (file) => readText(file) ?? "",
  );
  return [
    ...[own, ...ofUser].flatMap((text) => valuesOf(text, "hookspath")).map((path) => resolve(top, path)),
    // `path` stands only in include and includeIf.
    ...valuesOf(own, "path").map((path) => resolve(gitFolder, path)),
  ].map((path) => path.replace(/^.*\/~\//, `${home}/`));
}

/**
 * As `git init` and `git clone` leave it. What decides is a list of what is known to run nothing, so that a
 * key which some version of git adds is refused until it stands here.
 */
export function isHarmlessRepository(gitFolder: string): boolean {
  const stats = statsOf(gitFolder);
  if (stats === undefined || stats === "unknown" || !stats.isDirectory()) return false;
  return runningPartsOf(gitFolder).every((part) => isHarmlessPart(part));
}

export function isHarmlessPart(part: string): boolean {
  const stats = statsOf(part);
  if (stats === "unknown") return false;
  switch (basename(part)) {
    case "config":
      return stats?.isFile() === true && isPlainConfig(readText(part));
    case "hooks":
      return stats?.isDirectory() === true && onlySamples(part);
    default:
      return stats === undefined;
  }
}

function onlySamples(folder: string): boolean {
  return quietly(() => readdirSync(folder))?.every((name) => name.endsWith(".sample")) === true;
}

const plainSections: readonly (readonly [section: RegExp, key: RegExp])[] = [
  [
    /^core$/,
    /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  ],
  [/^remote "[\w./-]+"$/, /^(?:url|fetch)$/],
  [/^branch "[\w./-]+"$/, /^(?:remote|merge|rebase)$/],
  [/^user$/, /^(?:name|email)$/],
  [/^extensions$/, /^objectformat$/],
];

function isPlainConfig(text: string | undefined): boolean {
  if (text === undefined) return false;
  let keys: RegExp | undefined;
  for (const line of text.split("\n")) {
    // A backslash may join lines, and a key may stand behind its section.
    if (line.includes("\\")) return false;
    const section = /^\[([^\]]+)\]$/.exec(line.trim())?.[1];
    if (section !== undefined) {
      keys = plainSections.find(([name]) => name.test(section))?.[1];
      if (keys === undefined) return false;
      continue;
    }
    const key = /^\s*([a-z0-9-]+)\s*=/i.exec(line)?.[1];
    if (key === undefined ? line.trim() !== "" : keys?.test(key.toLowerCase()) !== true) return false;
  }
  return true;
}

/** A rebase that somebody continues runs the `exec` lines of its list. */
function runsCommands(todo: string): boolean {
  return isThere(todo) && /^\s*(?:exec|x)\s/m.test(readText(todo) ?? "exec ?");
}

function valuesOf(config: string, key: string): string[] {
  const lines = config.matchAll(
    new RegExp(`^\\s*(?:\\[[^\\]]*\\]\\s*)?${key}\\s*=\\s*"?([^"\\n#;]+)"?`, "gim"),
  );
  return [...lines].flatMap(([, value = ""]) => (value.trim() === "" ? [] : [value.trim()]));
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined;
}

/** Opened without waiting: a sandboxed process may have put a pipe there, or something endless. */
function readText(path: string): string | undefined {
  const file = quietly(() =>
    openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW),
  );
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.size < 1_000_000 ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}
