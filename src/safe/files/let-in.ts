/** Hidden names that a repository opens to ripgrep: a `!` pattern in one of its ignore files. */

import { dirname, join } from "node:path";
import { fitsName } from "./name-pattern.ts";
import { readSmallFile } from "./small-file.ts";

/** Patterns for the last part of a path, in lower case: some options and file systems ignore case. */
export type LetIn = readonly (readonly string[])[];

const ignoreFiles = [".ignore", ".rgignore", ".gitignore"];
const excludeFile = join(".git", "info", "exclude");
/** What is longer is not read: then it may say anything. */
export const maxIgnoreBytes = 256 * 1024;
const anything: LetIn = [["*"]];

/** Of the files in one folder, which count for everything below it. */
export function letInBy(folder: string, names: ReadonlySet<string>): LetIn {
  const files = ignoreFiles.filter((name) => names.has(name));
  if (names.has(".git")) files.push(excludeFile);
  return files.flatMap((name) => readPatterns(join(folder, name)));
}

/** Of the folders above it: ripgrep looks at all of them. */
export function letInAbove(folder: string): LetIn {
  const found: (readonly string[])[] = [];
  for (let above = dirname(folder); ; above = dirname(above)) {
    for (const name of [...ignoreFiles, excludeFile]) found.push(...readPatterns(join(above, name)));
    if (above === dirname(above)) return found;
  }
}

export function isLetIn(patterns: LetIn, name: string): boolean {
  if (patterns.length === 0) return false;
  const letters = [...name.toLowerCase()];
  return patterns.some((pattern) => fitsName(pattern, letters));
}

function readPatterns(file: string): LetIn {
  const read = readSmallFile(file, maxIgnoreBytes);
  if (typeof read === "string") return read === "missing" || read === "odd" ? [] : anything;
  const lines = read.text.replace(/^\ufeff/, "").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("!")).map(lastPart);
}

/** What is more than `*` and `?` is not read, and fits everything. */
function lastPart(line: string): readonly string[] {
  const pattern = line.slice(1).trimEnd().replace(/\/+$/, "");
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  return name === "" || /[[\]\\{}]/.test(name) ? ["*"] : [...name.toLowerCase()];
}
