/** Where a path leads by its text alone, for a workspace that is not on the disk. */

import { posix } from "node:path";
import { isInside } from "../core/input/inside-folder.ts";
import type { LocatePath } from "../core/ports/location.ts";
import { protectedReason } from "../safe/files/inside-root/protected-names.ts";

export const locateByText: LocatePath = (path, { cwd, roots, access = "write" }) => {
  const absolute = posix.resolve(cwd, path);
  const inside = roots.some((root) => isInside(absolute, root));
  const reason = protectedReason(absolute.split("/").filter(Boolean), access);
  return { absolute, inside, ...(reason !== undefined && { protected: reason }) };
};
