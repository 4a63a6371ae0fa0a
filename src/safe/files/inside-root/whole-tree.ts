/** Looks at everything below a directory before it is moved or removed: protected names and other file systems must not go along unseen. */
import type { Grip } from "./grips/grip.ts";
import { cancelled } from "./grips/with-spot.ts";
import { guardNames } from "./guard.ts";
import { quoted, type Refusal, refuse } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import { treeBelow } from "./tree.ts";

export const maxTreeEntries = 200_000;
export const maxTreeDepth = 128;

/** `tops`: the absolute parts under which the tree is now and, for a move, will be. */
export async function refuseTree(
  scope: Scope,
  request: string,
  root: Grip,
  directory: Grip,
  tops: readonly (readonly string[])[],
  signal: AbortSignal | undefined,
): Promise<Refusal | undefined> {
  let count = 0;
  for await (const entry of treeBelow(scope, root, directory, {
    depth: maxTreeDepth + 1,
    strict: true,
    signal,
  })) {
    count += 1;
    if (count > maxTreeEntries || entry.names.length > maxTreeDepth) {
      const bounds = `${maxTreeEntries} entries or ${maxTreeDepth} levels`;
      return refuse(
        "too_large",
        request,
        `${quoted(request)} holds more than ${bounds}. Work on its parts one by one.`,
      );
    }
    if (entry.directory.stats.dev !== directory.stats.dev) {
      return refuse(
        "cross_device",
        request,
        `${quoted(request)} holds another file system. Work on its parts one by one.`,
      );
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
