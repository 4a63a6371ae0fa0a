/** Removes a file, a link (never what it leads to) or a directory, by name inside the held parent. */
import { rmdirSync, unlinkSync } from "node:fs";
import { type Grip, sameThing, staleHandle } from "./grips/grip.ts";
import { missing, withSpot } from "./grips/with-spot.ts";
import { ownState } from "./guard.ts";
import { type Refusal, refusePath } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { takeDirectory, treeBelow } from "./tree.ts";
import { refuseTree } from "./whole-tree.ts";

export interface RemoveOptions {
  readonly cwd?: string;
  /** Also a directory that is not empty. Default false. */
  readonly recursive?: boolean;
  readonly signal?: AbortSignal;
}

export interface Removed {
  readonly ok: true;
  readonly absolute: string;
  /** How many files, links and directories went. */
  readonly count: number;
}

export function removeInside(
  scope: Scope,
  request: string,
  options: RemoveOptions = {},
): Promise<Removed | Refusal> {
  return withSpot(scope, request, { access: "write", cwd: options.cwd, followLast: false }, async (spot) => {
    const { parent, target, absolute } = spot;
    if (parent === undefined) return refusePath("denied", request, "is a root directory, which stays.");
    if (target === undefined) return missing(request);
    if (scope.statePaths.isBelow(spot.parts)) return ownState(request);
    if (isRoot(scope, target)) return refusePath("denied", request, "is a root directory, which stays.");
    if (!scope.grips.settled(parent, spot.rootGrip)) throw staleHandle(request);
    if (!target.stats.isDirectory()) {
      unlinkSync(`${parent.at}/${spot.name}`);
      return { ok: true, absolute, count: 1 };
    }
    let count = 0;
    if (options.recursive === true) {
      const refused = await refuseTree(scope, spot, { request, tops: [spot.parts], signal: options.signal });
      if (refused !== undefined) return refused;
      count = await empty(scope, spot.rootGrip, target, options.signal);
    }
    rmdirSync(`${parent.at}/${spot.name}`);
    return { ok: true, absolute, count: count + 1 };
  });
}

/** A root can lie inside another root. */
export function isRoot(scope: Scope, grip: Grip): boolean {
  return scope.roots.some(({ identity, opened }) => opened !== true && sameThing(identity, grip.stats));
}

async function empty(
  scope: Scope,
  root: Grip,
  directory: Grip,
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  const directories: string[] = [];
  const names: string[] = [];
  for await (const entry of treeBelow(scope, root, directory, { depth: 1, signal })) {
    (entry.kind === "directory" ? directories : names).push(entry.names[0]!);
  }
  for (const name of names) {
    if (signal?.aborted) break;
    unlinkSync(`${directory.at}/${name}`);
    count += 1;
  }
  for (const name of directories) {
    if (signal?.aborted) break;
    const child = takeDirectory(scope, directory, name);
    if (child === undefined) continue;
    try {
      // A file system mounted here after the look around is left alone; the rmdir above it then fails.
      if (child.stats.dev === directory.stats.dev) count += await empty(scope, root, child, signal);
    } finally {
      scope.grips.release(child);
    }
    rmdirSync(`${directory.at}/${name}`);
    count += 1;
  }
  return count;
}
