/** What one inside-root object was created with; every operation gets it. */
import type { Grips } from "./grip.ts";
import { pathGrips } from "./path-grips.ts";
import { procGrips, procIsUsable } from "./proc-grips.ts";
import type { Access } from "./protected-names.ts";
import { type Root, resolveRoots } from "./roots.ts";
import { resolveStatePaths, type StatePaths } from "./state-paths.ts";

export interface InsideRootOptions {
  /** Absolute paths of existing directories; the first is where relative paths start. */
  readonly roots: readonly string[];
  /** May policy reach this protected path (real, absolute)? Default: never. */
  readonly allowProtected?: (absolute: string, access: Access) => boolean;
  /** May a file with several names be read? Such a file may be a secret from outside under another name. Default: never. */
  readonly allowHardLink?: (absolute: string) => boolean;
  /** Our own state, configuration and token paths: always refused. */
  readonly statePaths?: readonly string[];
  /** Largest piece that one read returns. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Largest file that a write makes. Default 64 MiB. */
  readonly maxWriteBytes?: number;
  /** Wait until a write is on the disk. Default true. */
  readonly durable?: boolean;
  /** `paths` is what macOS and Windows use; on Linux it is weaker and only of interest to tests. */
  readonly mechanism?: "handles" | "paths";
}

export interface Scope {
  readonly roots: readonly [Root, ...Root[]];
  readonly grips: Grips;
  readonly statePaths: StatePaths;
  readonly allowProtected: (absolute: string, access: Access) => boolean;
  readonly allowHardLink: (absolute: string) => boolean;
  readonly maxBytes: number;
  readonly maxWriteBytes: number;
  readonly durable: boolean;
}

export function createScope(options: InsideRootOptions): Scope {
  return {
    roots: resolveRoots(options.roots),
    grips: chooseGrips(options.mechanism),
    statePaths: resolveStatePaths(options.statePaths ?? []),
    allowProtected: options.allowProtected ?? (() => false),
    allowHardLink: options.allowHardLink ?? (() => false),
    maxBytes: limit("maxBytes", options.maxBytes ?? 1024 * 1024),
    maxWriteBytes: limit("maxWriteBytes", options.maxWriteBytes ?? 64 * 1024 * 1024),
    durable: options.durable ?? true,
  };
}

/** A limit that is no number would be no limit. */
function limit(name: string, bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new TypeError(`inside-root: ${name} must be a whole number above 0, got ${bytes}`);
}

function chooseGrips(mechanism: "handles" | "paths" | undefined): Grips {
  if ((mechanism ?? (process.platform === "linux" ? "handles" : "paths")) === "paths") return pathGrips;
  if (!procIsUsable()) {
    throw new Error(
      "inside-root needs /proc to hold files safely. Mount it (`mount -t proc proc /proc`) and start again.",
    );
  }
  return procGrips;
}
