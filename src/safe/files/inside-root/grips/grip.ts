/** A grip holds one file or directory that a walk found, so that what was checked is what is used. */
import type { BigIntStats } from "node:fs";

export interface Grip {
  /**
   * The path by which the operating system reaches this very thing; `${at}/${name}` reaches a name inside it.
   */
  readonly at: string;
  /** The name as the file system spells it. */
  readonly name: string;
  readonly stats: BigIntStats;
  readonly fd: number;
}

/** How grips are taken: by kernel handles where there are any, else by paths checked again after use. */
export interface Grips {
  /** True when no swap of a directory or link by another process can lead an operation out of its root. */
  readonly raceFree: boolean;
  /** Flags with which a new file is opened inside a held directory. */
  readonly createFlags: number;
  takeRoot(real: string): Grip;
  /** Never follows a link: the grip of a link is the link itself. Throws the errno of the system. */
  takeChild(directory: Grip, name: string): Grip;
  /** Opens the very file of the grip; throws ESTALE when that cannot be promised. */
  reopen(grip: Grip, flags: number): number;
  /** Is this directory still below its root? Asked right before something is created in it. */
  settled(directory: Grip, root: Grip): boolean;
  /**
   * Is the file still under this name, without a break since it was taken? A file that left is perhaps only
   * outside now.
   */
  stillNamed(file: Grip, directory: Grip): boolean;
  release(grip: Grip): void;
  /**
   * For a file that has lost its name: with its last handle the file system frees it, for milliseconds in
   * which nothing else would run.
   */
  releaseLater(grip: Grip): void;
}

export function sameThing(left: BigIntStats, right: BigIntStats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

export function staleHandle(path: string): Error {
  return Object.assign(new Error(`${path} was replaced`), { code: "ESTALE" });
}
