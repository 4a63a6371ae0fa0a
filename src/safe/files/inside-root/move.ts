/** Moves a file, link or directory from one held directory to another; both names are judged. */
import { linkSync, renameSync, unlinkSync } from "node:fs";
import { staleHandle } from "./grips/grip.ts";
import type { Spot } from "./grips/walk.ts";
import { missing, withSpot } from "./grips/with-spot.ts";
import { ownState } from "./guard.ts";
import { type Refusal, refuseAs, refusePath } from "./refusal.ts";
import { isRoot } from "./remove.ts";
import { cannotLink } from "./replace-file.ts";
import type { Scope } from "./scope.ts";
import { refuseTree } from "./whole-tree.ts";

export interface MoveOptions {
  readonly cwd?: string;
  /** Replace a file that is at the new path. Directories are never replaced. Default false. */
  readonly overwrite?: boolean;
  readonly makeParents?: boolean;
  readonly signal?: AbortSignal;
}

export interface Moved {
  readonly ok: true;
  readonly from: string;
  readonly to: string;
}

export function moveInside(
  scope: Scope,
  from: string,
  to: string,
  options: MoveOptions = {},
): Promise<Moved | Refusal> {
  const both = { access: "write", cwd: options.cwd, followLast: false } as const;
  return withSpot(scope, from, both, async (source) => {
    const refused = refuseSource(scope, source, from);
    if (refused !== undefined) return refused;
    return withSpot(scope, to, { ...both, makeParents: options.makeParents }, async (destination) => {
      const wrong = refuseDestination(source, destination, to, options);
      if (wrong !== undefined) return wrong;
      if (source.target!.stats.isDirectory()) {
        const tops = [source.parts, destination.parts];
        const tree = await refuseTree(scope, source, { request: from, tops, signal: options.signal });
        if (tree !== undefined) return tree;
      }
      for (const spot of [source, destination]) {
        if (!scope.grips.settled(spot.parent!, spot.rootGrip)) throw staleHandle(to);
      }
      rename(source, destination, options.overwrite === true, scope.grips.raceFree);
      return { ok: true, from: source.absolute, to: destination.absolute };
    });
  });
}

function refuseSource(scope: Scope, source: Spot, from: string): Refusal | undefined {
  if (source.parent === undefined) return refusePath("denied", from, "is a root directory, which stays.");
  if (source.target === undefined) return missing(from);
  if (isRoot(scope, source.target)) return refusePath("denied", from, "is a root directory, which stays.");
  return scope.statePaths.isBelow(source.parts) ? ownState(from) : undefined;
}

function refuseDestination(
  source: Spot,
  destination: Spot,
  to: string,
  options: MoveOptions,
): Refusal | undefined {
  if (destination.parent === undefined || destination.target?.stats.isDirectory()) {
    return refusePath("exists", to, "is a directory. Name the full new path, with the last name.");
  }
  if (`${destination.absolute}/`.startsWith(`${source.absolute}/`)) {
    return refusePath(
      "invalid_path",
      to,
      "is the same as, or inside, what would be moved. Choose another place.",
    );
  }
  if (destination.target === undefined) return undefined;
  const mayReplace = options.overwrite === true && source.target?.stats.isDirectory() !== true;
  return mayReplace ? undefined : refuseAs("EEXIST", to);
}

function rename(source: Spot, destination: Spot, overwrite: boolean, byHandle: boolean): void {
  const from = `${source.parent!.at}/${source.name}`;
  const to = `${destination.parent!.at}/${destination.name}`;
  // `link` never replaces what another process put there. On other systems than Linux it may follow links.
  if (byHandle && !overwrite && source.target!.stats.isFile()) {
    try {
      linkSync(from, to);
      unlinkSync(from);
      return;
    } catch (error) {
      if (!cannotLink(error)) throw error;
    }
  }
  renameSync(from, to);
}
