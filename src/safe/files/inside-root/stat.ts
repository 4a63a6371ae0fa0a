/** Says what is at a path without opening it; with `hash`, reads it once for a later stale check. */
import type { BigIntStats } from "node:fs";
import type { Spot } from "./grips/walk.ts";
import { cancelled, missing, withSpot } from "./grips/with-spot.ts";
import { protectedReason } from "./protected-names.ts";
import { hashOfFile, withOpenFile } from "./read.ts";
import type { Refusal } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import type { EntryKind } from "./tree.ts";

export interface StatOptions {
  readonly cwd?: string;
  /** Also the sha256 of a file's contents, of any size. */
  readonly hash?: boolean;
  readonly signal?: AbortSignal;
}

export interface FileFacts {
  readonly ok: true;
  readonly absolute: string;
  readonly kind: Exclude<EntryKind, "link">;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly hardLinks: number;
  readonly protected?: string;
  readonly hash?: string;
}

export async function statInside(
  scope: Scope,
  request: string,
  options: StatOptions = {},
): Promise<FileFacts | Refusal> {
  if (options.hash === true) {
    return withOpenFile(scope, request, options, async (fd, spot) => {
      const hash = await hashOfFile(fd, options.signal);
      return hash === undefined ? cancelled(request) : { ...factsOf(spot, spot.target!.stats), hash };
    });
  }
  // That a protected file exists, and its size, is no secret; its contents are.
  const walkOptions = { access: "read", cwd: options.cwd, metadataOnly: true } as const;
  return withSpot(scope, request, walkOptions, async (spot) =>
    spot.target === undefined ? missing(request) : factsOf(spot, spot.target.stats),
  );
}

function factsOf(spot: Spot, stats: BigIntStats): FileFacts {
  const reason = protectedReason(spot.parts, "read");
  return {
    ok: true,
    absolute: spot.absolute,
    kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other",
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    modifiedMs: Number(stats.mtimeMs),
    hardLinks: Number(stats.nlink),
    ...(reason !== undefined && { protected: reason }),
  };
}
