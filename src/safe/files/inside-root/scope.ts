/** What one inside-root object was created with; every operation gets it. */
import { isAbsolute } from "node:path";
import type { OpenedPath } from "../../../core/ports/location.ts";
import type { Grips } from "./grips/grip.ts";
import { type Opened, resolveOpened } from "./grips/opened.ts";
import { pathGrips } from "./grips/path-grips.ts";
import { procGrips, procIsUsable } from "./grips/proc-grips.ts";
import type { Access } from "./protected-names.ts";
import { partsOf } from "./request-path.ts";
import { type Root, resolveRoots } from "./roots.ts";
import { resolveStatePaths, type StatePaths } from "./state-paths.ts";

export interface InsideRootOptions {
  /** Absolute paths of existing directories; the first is where relative paths start. */
  readonly roots: readonly string[];
  /** May policy reach this protected path (real, absolute)? Default: never. */
  readonly allowProtected?: (absolute: string, access: Access) => boolean;
  /** May a file with several names be read? It may be a secret from outside. Default: never. */
  readonly allowHardLink?: (absolute: string) => boolean;
  /** Single paths besides the roots, opened for one call; protected ones among them too. */
  readonly opened?: readonly OpenedPath[];
  /**
   * Real paths: nothing but these and what is below them is used, wherever links lead by now. Default: all of
   * the roots.
   */
  readonly only?: readonly string[] | undefined;
  /** What `~/` at the start of a path means. Default: nothing, such a path is refused. */
  readonly home?: string;
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
  readonly opened: Opened;
  /** Undefined: nothing within the roots is left out. */
  readonly only: readonly (readonly string[])[] | undefined;
  readonly home: string | undefined;
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
  const roots = resolveRoots(options.roots);
  const opened = resolveOpened(options.opened ?? [], roots);
  const { allowProtected = () => false } = options;
  return {
    roots: [...roots, ...opened.roots],
    opened,
    only: options.only?.filter((path) => isAbsolute(path)).map(partsOf),
    home: options.home,
    grips: chooseGrips(options.mechanism),
    statePaths: resolveStatePaths(options.statePaths ?? []),
    allowProtected: (absolute, access) =>
      allowProtected(absolute, access) || opened.opensProtected(partsOf(absolute), access),
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
