/** Everything of toolgate that decides about an agent: one protected set, for the hook and the server. */
import { join } from "node:path";
import type { Folders } from "./folders.ts";

export interface OwnPaths {
  readonly statePaths: readonly string[];
  /** Which of them are not even read. */
  readonly secretPaths: readonly string[];
  readonly programPaths: readonly string[];
}

/** `program`: the folder of hook and command line. `elsewhere`: our files that the configuration places. */
export function ownPaths(
  { state, config, data, cache, admin }: Folders,
  program: string | undefined,
  elsewhere: readonly string[] = [],
): OwnPaths {
  // Compiled rules, and code that we run. Not the whole cache: callers read their long output there.
  const compiled = ["rules", "code", "start"].map((name) => join(cache, name));
  return {
    statePaths: [state, config, data, admin, ...compiled, ...elsewhere],
    secretPaths: [state],
    programPaths: program === undefined ? [] : [program],
  };
}
