/** Lists a tree level by level, so that a list that is cut still shows all of the upper levels. */
import { dirname, join, resolve } from "node:path";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { isInside } from "../../../core/input/inside-folder.ts";
import type { EntryKind, ListEntry } from "../../../safe/files/inside-root/inside-root.ts";
import { neverEntered } from "../search/file-choice.ts";
import type { PathPattern } from "../search/glob/path-pattern.ts";
import {
  type IgnoreLevels,
  isIgnored,
  levelsAbove,
  readGitignore,
  withLevel,
} from "../search/ignore-levels.ts";
import type { SearchPlace } from "../search/search-place.ts";

export interface ListTreeOptions {
  readonly depth: number;
  readonly hidden: boolean;
  readonly ignored: boolean;
  /** Left out, by the names from the folder that is listed. */
  readonly excludes: PathPattern;
  readonly limit: number;
  readonly foldersFirst: boolean;
}

export interface Shown {
  /** From the folder that is listed, with /. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly size?: number;
  /** Of a link; `outside` instead of a path that is none of the workspace's. */
  readonly leadsTo?: string;
  readonly protected?: string;
}

export interface ListedTree {
  readonly ok: true;
  readonly entries: readonly Shown[];
  readonly truncated: boolean;
  /** Folders at the last level of a list that goes deeper than one. */
  readonly closed: number;
}

/** Of one folder; whoever has more has to narrow the question. */
const maxNames = 20_000;

interface Folder {
  readonly names: readonly string[];
  readonly levels: IgnoreLevels;
  readonly children: Shown[];
}

export async function listTree(place: SearchPlace, options: ListTreeOptions): Promise<ListedTree | Failed> {
  const { files, root, folder } = place;
  const levels = options.ignored ? [] : await levelsAbove(files, root, folder);
  const top: Folder = { names: [], levels, children: [] };
  const folders = new Map<string, Folder>([["", top]]);
  let waiting = [top];
  let left = options.limit;
  let truncated = false;
  let closed = 0;
  for (let level = 1; waiting.length > 0; level++) {
    const next: Folder[] = [];
    for (const one of waiting) {
      const listed = await listOne(place, one, options);
      if (!listed.ok) {
        // The folder that was asked for must be there; one below may be gone or closed to us.
        if (one === top || listed.code === "cancelled") return listed;
        continue;
      }
      truncated ||= listed.truncated || listed.entries.length > left;
      one.children.push(...listed.entries.slice(0, left));
      left -= one.children.length;
      for (const child of one.children.filter(isOpen)) {
        if (level === options.depth) {
          if (level > 1) closed += 1;
          continue;
        }
        const below = { names: child.path.split("/"), levels: listed.levels, children: [] };
        folders.set(child.path, below);
        next.push(below);
      }
      if (left === 0 && (next.length > 0 || one !== waiting.at(-1))) truncated = true;
      if (left === 0) break;
    }
    waiting = left === 0 ? [] : next;
  }
  return { ok: true, entries: inOrder(folders, top), truncated, closed };
}

async function listOne(place: SearchPlace, { names, levels }: Folder, options: ListTreeOptions) {
  const { files, root, signal } = place;
  const here = [...place.folder, ...names];
  const found = await files.list(join(place.absolute, ...names), { limit: maxNames, signal });
  if (!found.ok) return found;
  const text =
    !options.ignored && found.entries.some(({ path }) => path === ".gitignore")
      ? await readGitignore(files, root, here)
      : undefined;
  const inside = withLevel(levels, here.length, text);
  const entries = found.entries
    .filter(({ path }) => (options.hidden || !path.startsWith(".")) && !options.excludes([...names, path]))
    .filter(({ path, kind }) => options.ignored || !isIgnored(inside, [...here, path], kind === "directory"))
    .sort((left, right) => (options.foldersFirst ? rank(left) - rank(right) : 0))
    .map((entry) => describe(entry, names, place));
  return { ok: true as const, entries, levels: inside, truncated: found.truncated };
}

function describe(entry: ListEntry, names: readonly string[], place: SearchPlace): Shown {
  const { path, kind, size, leadsTo, protected: reason } = entry;
  const below = [...names, path];
  return {
    path: below.join("/"),
    kind,
    ...(size !== undefined && { size }),
    ...(leadsTo !== undefined && { leadsTo: targetOf(leadsTo, below, place) }),
    ...(reason !== undefined && { protected: reason }),
  };
}

/** By its text alone: whether a link may be used is decided when it is used. */
function targetOf(leadsTo: string, names: readonly string[], { absolute, files }: SearchPlace): string {
  const target = resolve(dirname(join(absolute, ...names)), leadsTo);
  const staysInside = files.roots.some((root) => isInside(target, root));
  return staysInside ? leadsTo : "outside";
}

function rank({ kind }: ListEntry): number {
  return kind === "directory" ? 0 : 1;
}

/** Protected folders are named, not opened. */
function isOpen({ kind, path, protected: reason }: Shown): boolean {
  return (
    kind === "directory" &&
    reason === undefined &&
    !neverEntered.some((name) => name === path.split("/").at(-1))
  );
}

/** Each folder before what is in it. */
function inOrder(folders: ReadonlyMap<string, Folder>, folder: Folder): Shown[] {
  return folder.children.flatMap((child) => {
    const below = folders.get(child.path);
    return below === undefined ? [child] : [child, ...inOrder(folders, below)];
  });
}
