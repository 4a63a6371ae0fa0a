/** Looks at a whole tree before it moves or goes: protected names and other disks must not go unseen. */
import type { Spot } from "./grips/walk.ts";
import { cancelled } from "./grips/with-spot.ts";
import { guardNames } from "./guard.ts";
import { type Refusal, refusePath } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { treeBelow } from "./tree.ts";

export const maxTreeEntries = 200_000;
export const maxTreeDepth = 128;

export interface TreeLook {
  readonly request: string;
  /** The absolute parts under which the tree is now and, for a move, will be. */
  readonly tops: readonly (readonly string[])[];
  readonly signal: AbortSignal | undefined;
}

/** `spot` is a directory. */
export async function refuseTree(scope: Scope, spot: Spot, look: TreeLook): Promise<Refusal | undefined> {
  const { request, tops, signal } = look;
  const directory = spot.target!;
  const options = { depth: maxTreeDepth + 1, strict: true, signal };
  let count = 0;
  for await (const entry of treeBelow(scope, spot.rootGrip, directory, options)) {
    count += 1;
    if (count > maxTreeEntries || entry.names.length > maxTreeDepth) {
      const bounds = `${maxTreeEntries} entries or ${maxTreeDepth} levels`;
      return refusePath("too_large", request, `holds more than ${bounds}. Work on its parts one by one.`);
    }
    if (entry.directory.stats.dev !== directory.stats.dev) {
      return refusePath("cross_device", request, "holds another file system. Work on its parts one by one.");
    }
    for (const top of tops) {
      const refused = guardNames(scope, [request, ...entry.names].join("/"), [...top, ...entry.names], {
        access: "write",
      });
      if (refused !== undefined) return { ...refused, path: request };
    }
  }
  return signal?.aborted ? cancelled(request) : undefined;
}
