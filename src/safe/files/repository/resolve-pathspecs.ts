/** The files that the paths of a git command stand for: the named ones, and protected ones by wildcard. */
import { readdirSync } from "node:fs";
import { join, posix, relative, resolve, sep } from "node:path";
import { isInside } from "../../../core/input/inside-folder.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { protectedReason } from "../inside-root/protected-names.ts";
import { partsOf } from "../inside-root/request-path.ts";
import type { FoundRepository } from "./find-git-dir.ts";
import { readIndex } from "./git-index.ts";

export interface ResolvedPaths {
  readonly paths: readonly string[];
  readonly unknown: boolean;
}

const maxEntries = 20_000;

/** Like a folder, a wildcard counts as the folder it starts in; what is protected below counts by itself. */
export function resolvePathspecs(
  specs: readonly string[],
  folder: string,
  repository: FoundRepository | undefined,
  untracked: boolean,
): ResolvedPaths {
  const paths: string[] = [];
  let unknown = false;
  for (const spec of specs) {
    const fromTop = spec.startsWith(":/");
    const base = fromTop ? (repository?.top ?? folder) : folder;
    const path = posix.normalize(fromTop ? spec.slice(2) : spec);
    const wild = path.search(/[*?[\\]/);
    if (wild < 0) {
      paths.push(join(base, path));
      continue;
    }
    const start = resolve(base, path.slice(0, path.lastIndexOf("/", wild) + 1));
    paths.push(start);
    const fits = (file: string) => mayFit(path, relative(base, file).split(sep).join("/"));
    const found = protectedBelow(start, fits, repository, untracked);
    if (found === undefined) unknown = true;
    else paths.push(...found);
  }
  return { paths, unknown };
}

function protectedBelow(
  start: string,
  fits: (file: string) => boolean,
  repository: FoundRepository | undefined,
  untracked: boolean,
): readonly string[] | undefined {
  const found = new Set<string>();
  const note = (path: string) => {
    if (fits(path) && protectedReason(partsOf(path), "read") !== undefined) found.add(path);
  };
  if (repository !== undefined) {
    const tracked = readIndex(repository.gitDir);
    if (tracked === undefined) return undefined;
    for (const { path } of tracked) {
      const full = join(repository.top, path);
      if (full !== start && isInside(full, start)) note(full);
    }
  }
  if (untracked && !walk(start, note)) return undefined;
  return [...found];
}

/** False when there is too much to look at. What is installed or git's own is not looked at. */
function walk(start: string, note: (path: string) => void): boolean {
  const folders = [start];
  let entries = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const folder = next;
    const names = quietly(() => readdirSync(folder, { withFileTypes: true }));
    if (names === undefined) continue;
    entries += names.length;
    if (entries > maxEntries) return false;
    for (const entry of names) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) note(path);
      else if (entry.name !== ".git" && entry.name !== "node_modules") folders.push(path);
    }
  }
  return true;
}

/** For git `*` stands for slashes and dots, too. Classes and escapes count as any text. */
function mayFit(spec: string, path: string): boolean {
  const pieces = spec
    .toLowerCase()
    .replace(/\\./g, "*")
    .replace(/\[[\s\S]*\]/, "*")
    .split(/[*?]+/);
  const text = path.toLowerCase();
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (text.startsWith(piece) ? 0 : -1) : text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1) ?? "";
  return last === "" || text.endsWith(last) || text.lastIndexOf(`${last}/`) >= 0;
}
