/** The files below a folder that rules may have something to say about: of a command that takes it as a whole, and of a search. */
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
 * What a search tool opens. Some of them open hidden files and some do not. One that goes through the whole workspace is taken for one
 * that does not: a key file that lies in it would stop every search. Whoever names a folder or a kind of files means what is in there.
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
