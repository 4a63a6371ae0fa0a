/** Lists a directory, or the tree below it, within bounds; links are shown, never entered. */
import { lstatSync, readlinkSync } from "node:fs";
import { missing, withSpot } from "./grips/with-spot.ts";
import { protectedReason } from "./protected-names.ts";
import { errnoOf, quoted, type Refusal, refuse, refusePath } from "./refusal.ts";
import { joinParts } from "./request-path.ts";
import type { Scope } from "./scope.ts";
import { type EntryKind, type TreeEntry, treeBelow } from "./tree.ts";

export interface ListOptions {
  readonly cwd?: string;
  /** Default 1: the directory itself. */
  readonly depth?: number;
  /** How many entries come back. Default 1,000, at most 100,000. */
  readonly limit?: number;
  /** Sizes and times cost one system call per entry. Default true. */
  readonly details?: boolean;
  /** Skip what is below this directory (path relative to the listed one, with /). */
  readonly skip?: (relative: string) => boolean;
  readonly signal?: AbortSignal;
}

export interface ListEntry {
  /** Relative to the listed directory, with /. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly size?: number;
  readonly modifiedMs?: number;
  /** What a link says; whether that may be used is decided when it is used. */
  readonly leadsTo?: string;
  readonly protected?: string;
}

export interface Listing {
  readonly ok: true;
  readonly absolute: string;
  /** Sorted by path. */
  readonly entries: readonly ListEntry[];
  /** There is more: the entries are some of them, not the first in order. */
  readonly truncated: boolean;
}

const maxLimit = 100_000;
const maxDepth = 64;

export function listInside(
  scope: Scope,
  request: string,
  options: ListOptions = {},
): Promise<Listing | Refusal> {
  const limit = Math.min(Math.max(1, Math.trunc(options.limit ?? 1000) || 1), maxLimit);
  const depth = Math.min(Math.max(1, Math.trunc(options.depth ?? 1) || 1), maxDepth);
  return withSpot(scope, request, { access: "read", cwd: options.cwd }, async (spot) => {
    if (spot.target === undefined) return missing(request);
    if (!spot.target.stats.isDirectory()) {
      return refusePath("not_a_directory", request, "is not a directory. Read it, or list its parent.");
    }
    const top = spot.parts;
    const reasonOf = (entry: TreeEntry) => protectedReason([...top, ...entry.names], "read");
    const mayEnter = (entry: TreeEntry) => {
      const absolute = [...top, ...entry.names];
      if (scope.statePaths.holds(absolute)) return false;
      if (reasonOf(entry) !== undefined && !scope.allowProtected(joinParts(absolute), "read")) return false;
      return options.skip?.(entry.names.join("/")) !== true;
    };
    const entries: ListEntry[] = [];
    let truncated = false;
    const { signal } = options;
    const tree = treeBelow(scope, spot.rootGrip, spot.target, { depth, enter: mayEnter, signal });
    for await (const entry of tree) {
      if (scope.statePaths.holds([...top, ...entry.names])) continue;
      if (entries.length === limit) {
        truncated = true;
        break;
      }
      entries.push(describe(entry, reasonOf(entry), options.details !== false));
    }
    if (options.signal?.aborted)
      return refuse("cancelled", request, `Listing ${quoted(request)} was cancelled.`);
    entries.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
    return { ok: true, absolute: spot.absolute, entries, truncated };
  });
}

function describe(entry: TreeEntry, reason: string | undefined, details: boolean): ListEntry {
  const about = details ? detailsOf(entry) : {};
  return {
    path: entry.names.join("/"),
    kind: entry.kind,
    ...about,
    ...(reason !== undefined && { protected: reason }),
  };
}

function detailsOf(entry: TreeEntry): Partial<ListEntry> {
  const path = `${entry.directory.at}/${entry.names.at(-1)}`;
  try {
    if (entry.kind === "link") return { leadsTo: readlinkSync(path) };
    if (entry.kind !== "file") return {};
    const stats = lstatSync(path);
    return { size: stats.size, modifiedMs: stats.mtimeMs };
  } catch (error) {
    // Gone since it was listed: its name is still an honest answer.
    if (errnoOf(error) === undefined) throw error;
    return {};
  }
}
