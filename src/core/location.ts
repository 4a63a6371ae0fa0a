/** Where a path of a call points to. The real answer needs the file system, so it comes through a port. */

export interface Location {
  readonly absolute: string;
  /** Inside one of the workspace roots, links followed. */
  readonly inside: boolean;
  /** Why the path is off limits unless a rule names it (`.env`, key files, our own state). */
  readonly protected?: string;
}

export type LocatePath = (
  path: string,
  context: {
    readonly cwd: string;
    readonly roots: readonly string[];
    /** Some names are protected only from being written. Not told: judged as a write. */
    readonly access?: "read" | "write";
  },
) => Location;

/** The paths that a glob stands for at this moment. Undefined: too many, or nobody can tell. */
export type ExpandGlob = (glob: string, cwd: string) => readonly string[] | undefined;
