/** Everything that decides about an agent and is toolgate's own: one protected set, the same in the hook and in the server. */
import { join } from "node:path";
import type { Folders } from "./folders.ts";

export interface OwnPaths {
  readonly statePaths: readonly string[];
  /** Which of them are not even read. */
  readonly secretPaths: readonly string[];
  readonly programPaths: readonly string[];
}

/** `program`: the folder that holds the hook and the command line. `elsewhere`: files of ours that the configuration puts there. */
export function ownPaths(
  { state, config, cache, admin }: Folders,
  program: string | undefined,
  elsewhere: readonly string[] = [],
): OwnPaths {
  // Compiled rules, and code that our own processes run. Not all of the cache: callers read their long output there.
  const compiled = ["rules", "code", "start"].map((name) => join(cache, name));
  return {
    statePaths: [state, config, admin, ...compiled, ...elsewhere],
    secretPaths: [state],
    programPaths: program === undefined ? [] : [program],
  };
}
