/** The .gitignore files that count for a place, from the root downwards. The deeper one decides. */
import { join } from "node:path";
import type { InsideRoot } from "../../../safe/files/inside-root/inside-root.ts";
import { type IgnoreRules, parseGitignore } from "./glob/gitignore.ts";

export interface IgnoreLevel {
  /** How many names lead from the root to the folder of the file. */
  readonly depth: number;
  readonly rules: IgnoreRules;
}

export type IgnoreLevels = readonly IgnoreLevel[];

/** `names` lead from the root to the entry. Folders above are not asked: nobody enters an ignored one. */
export function isIgnored(levels: IgnoreLevels, names: readonly string[], isDirectory: boolean): boolean {
  for (let index = levels.length - 1; index >= 0; index--) {
    const { depth, rules } = levels[index] as IgnoreLevel;
    const verdict = rules.verdict(names.slice(depth), isDirectory);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
}

/** The level of one folder added; unchanged when it has no .gitignore. */
export function withLevel(levels: IgnoreLevels, depth: number, text: string | undefined): IgnoreLevels {
  return text === undefined ? levels : [...levels, { depth, rules: parseGitignore(text) }];
}

/** Of the folders from the root down to, but not including, the last one. */
export async function levelsAbove(
  files: InsideRoot,
  root: string,
  folder: readonly string[],
): Promise<IgnoreLevels> {
  let levels: IgnoreLevels = [];
  for (let depth = 0; depth < folder.length; depth++) {
    levels = withLevel(levels, depth, await readGitignore(files, root, folder.slice(0, depth)));
  }
  return levels;
}

const maxBytes = 256 * 1024;

export async function readGitignore(
  files: InsideRoot,
  root: string,
  folder: readonly string[],
): Promise<string | undefined> {
  const file = await files.read(join(root, ...folder, ".gitignore"), { maxBytes });
  return file.ok ? file.bytes.toString("utf8") : undefined;
}
