/** Makes a directory, and the missing ones above it, each inside the one that is held. */
import { mkdirSync } from "node:fs";
import { staleHandle } from "./grips/grip.ts";
import { withSpot } from "./grips/with-spot.ts";
import { type Refusal, refusePath } from "./refusal.ts";
import type { Scope } from "./scope.ts";

export interface MkdirOptions {
  readonly cwd?: string;
  /** Default true. */
  readonly makeParents?: boolean;
}

export interface MadeDirectory {
  readonly ok: true;
  readonly absolute: string;
  /** False: it was there already. */
  readonly created: boolean;
}

export function mkdirInside(
  scope: Scope,
  request: string,
  options: MkdirOptions = {},
): Promise<MadeDirectory | Refusal> {
  const walkOptions = {
    access: "write",
    cwd: options.cwd,
    makeParents: options.makeParents !== false,
  } as const;
  return withSpot(scope, withoutEndingSlash(request), walkOptions, async (spot) => {
    if (spot.target?.stats.isDirectory()) return { ok: true, absolute: spot.absolute, created: false };
    if (spot.target !== undefined) {
      return refusePath("exists", request, "exists and is not a directory. Choose another name.");
    }
    if (!scope.grips.settled(spot.parent!, spot.rootGrip)) throw staleHandle(request);
    mkdirSync(`${spot.parent!.at}/${spot.name}`);
    return { ok: true, absolute: spot.absolute, created: true };
  });
}

function withoutEndingSlash(request: string): string {
  return typeof request === "string" && request.length > 1 ? request.replace(/(.)[\\/]+$/, "$1") : request;
}
