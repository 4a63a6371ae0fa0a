/** Single paths outside of the roots, opened for one call: reached like a root, but nothing beside them. */
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { OpenedPath } from "../../../../core/ports/location.ts";
import { type Access, protectedReason } from "../protected-names.ts";
import { joinParts, partsOf, startsWith } from "../request-path.ts";
import { type Root, resolveRoot, rootOf } from "../roots.ts";

export interface Opened {
  /** The folders from which the opened paths are reached. */
  readonly roots: readonly Root[];
  /** Is this path an opened one, or below one? */
  covers(parts: readonly string[], access: Access): boolean;
  /** Is it on the way to an opened one? What is beside the way must not even be looked at. */
  leadsTo(parts: readonly string[]): boolean;
  /** Was this protected path named itself, or the protected folder that holds it? */
  opensProtected(parts: readonly string[], access: Access): boolean;
}

export function resolveOpened(given: readonly OpenedPath[], roots: readonly Root[]): Opened {
  if (given.length === 0) return nothingOpened;
  const opened = given
    .filter(({ path }) => isAbsolute(path))
    .map(({ path, access }) => ({ parts: partsOf(path), access }));
  const outside = opened.filter(({ parts }) => rootOf(roots, parts) === undefined);
  const bases = new Map<string, Root>();
  for (const { parts } of outside) {
    const base = nearestFolder(parts);
    if (base !== undefined) bases.set(base.real, base);
  }
  const covering = (parts: readonly string[], access: Access) =>
    opened.filter((one) => (access === "read" || one.access === "write") && startsWith(parts, one.parts));
  return {
    roots: [...bases.values()],
    covers: (parts, access) => covering(parts, access).length > 0,
    leadsTo: (parts) => opened.some((one) => startsWith(parts, one.parts) || startsWith(one.parts, parts)),
    opensProtected: (parts, access) =>
      covering(parts, access).some((one) => protectedReason(one.parts, access) !== undefined),
  };
}

const nothingOpened: Opened = {
  roots: [],
  covers: () => false,
  leadsTo: () => false,
  opensProtected: () => false,
};

/** The folder above it that exists: the opened path itself may still have to be made, or be removed. */
function nearestFolder(parts: readonly string[]): Root | undefined {
  for (let length = parts.length - 1; length >= 0; length--) {
    const folder = joinParts(parts.slice(0, length));
    try {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
        return { ...resolveRoot(folder), opened: true };
    } catch {
      return undefined;
    }
  }
  return undefined;
}
