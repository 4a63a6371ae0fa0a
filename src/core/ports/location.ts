/** Where a path of a call points to. The real answer needs the file system, so it comes through a port. */
import type { CommandTree } from "./command.ts";

export interface Location {
  readonly absolute: string;
  /** Inside one of the workspace roots, links followed. */
  readonly inside: boolean;
  /** Toolgate's own state or configuration, or a folder that holds it. */
  readonly own?: true;
  /** Of these, what holds keys and tokens: not even read. */
  readonly secret?: true;
  /** The file of a program that is toolgate: its command line, its hook. */
  readonly program?: true;
  /** A folder that holds some of it, further down. */
  readonly holdsOwn?: true;
  /** Outside of the roots, but output of the caller's own calls that the gate keeps there. */
  readonly ownOutput?: true;
  /** Why the path is off limits unless a rule names it (`.env`, key files, our own state). */
  readonly protected?: string;
}

/** A path that the gate let a call reach although it lies outside of the roots or is protected. */
export interface OpenedPath {
  /** As it really is, links followed. */
  readonly path: string;
  /** `write` includes reading. */
  readonly access: "read" | "write";
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

/** Whether it is worth asking the judges if a call touches what is toolgate's own. In doubt: yes. */
export interface NearOwn {
  path(path: string, cwd: string): boolean;
  command(line: string, cwd: string): boolean;
}

/** The paths that a glob stands for at this moment. Undefined: too many, or nobody can tell. */
export type ExpandGlob = (glob: string, cwd: string) => readonly string[] | undefined;

/**
 * What lies below a folder that a program reads or writes by itself, and concerns somebody: protected names,
 * the gate's own state, and what `concerns` says of a path.
 */
export type FindBelow = (
  tree: CommandTree,
  cwd: string,
  concerns: (absolute: string) => boolean,
) => FoundBelow;

export interface FoundBelow {
  readonly paths: readonly string[];
  /** False: there was too much to look at, or a link leads elsewhere. */
  readonly complete: boolean;
}
