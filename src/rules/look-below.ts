/** Finds files below a folder that rules may speak of: for commands that take a folder, and for searches. */
import { resolve } from "node:path";
import type { SearchReach } from "../core/input/search-reach.ts";
import type { CommandTree } from "../core/ports/command.ts";
import type { FoundBelow } from "../core/ports/location.ts";
import type { Surroundings } from "./subject.ts";

export function lookBelow(
  tree: CommandTree,
  { place: { cwd }, concerns = () => false, expandGlob, findBelow }: Surroundings,
): FoundBelow {
  const folders = tree.glob === true ? expandGlob?.(tree.path, cwd) : [tree.path];
  if (folders === undefined || findBelow === undefined) return { paths: [], complete: false };
  const found = folders.map((path) => findBelow({ ...tree, path }, cwd, concerns));
  return {
    paths: found.flatMap((below) => below.paths),
    complete: found.every((below) => below.complete),
  };
}

/**
 * What a search tool opens. A search of the whole workspace is taken for one that skips hidden files: else a
 * key file in there would stop every search. Whoever names a folder or a kind of files means all of them.
 */
export function searchTrees(search: SearchReach, cwd: string, roots: readonly string[]): CommandTree[] {
  const { paths, only, below, without, opensAll } = search;
  const folders = paths.length > 0 ? paths : (below ?? ["."]);
  return folders.map((path): CommandTree => {
    if (only !== undefined) return { path, access: "read", only };
    if (opensAll === true) return { path, access: "read", ...(without && { without }) };
    const folder = resolve(cwd, path);
    const isWhole = folder === cwd || roots.includes(folder);
    return {
      path,
      access: "read",
      skipsIgnored: true,
      ...(isWhole && { skipsHidden: true as const }),
      ...(without && { without }),
    };
  });
}
