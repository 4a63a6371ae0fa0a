/** Opens the file that a walk found, if the open handle shows a regular file with one name, inside. */
import { closeSync, constants, fstatSync } from "node:fs";
import type { Refusal } from "../refusal.ts";
import type { Scope } from "../scope.ts";
import { staleHandle } from "./grip.ts";
import type { Spot } from "./walk.ts";
import { missing, refuseHardLink, refuseSpecial } from "./with-spot.ts";

/**
 * A hard link in the workspace may be the second name of a secret outside, which no check of paths can see.
 * The count of names alone is not enough: the inside name can be removed after it was followed, and the count
 * is one again. Hence the order: count, then name.
 */
export function openVerified(
  scope: Scope,
  spot: Pick<Spot, "target" | "parent">,
  request: string,
  { flags = constants.O_RDONLY, mayHaveHardLinks = false } = {},
): { readonly ok: true; readonly fd: number } | Refusal {
  const { target, parent } = spot;
  if (target === undefined) return missing(request);
  const special = refuseSpecial(target, request);
  if (special !== undefined || parent === undefined) return special ?? missing(request);
  const fd = scope.grips.reopen(target, flags);
  try {
    if (mayHaveHardLinks) return { ok: true, fd };
    if (fstatSync(fd).nlink > 1) {
      closeSync(fd);
      return refuseHardLink(request, "which may lie outside of the roots");
    }
    if (!scope.grips.stillNamed(target, parent)) throw staleHandle(request);
    return { ok: true, fd };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Lets `use` read the file. One with several names only where policy says so. */
export async function withVerified<Result>(
  scope: Scope,
  spot: Pick<Spot, "target" | "parent" | "absolute">,
  request: string,
  use: (fd: number) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const file = openVerified(scope, spot, request, { mayHaveHardLinks: scope.allowHardLink(spot.absolute) });
  if (!file.ok) return file;
  try {
    return await use(file.fd);
  } finally {
    closeSync(file.fd);
  }
}
