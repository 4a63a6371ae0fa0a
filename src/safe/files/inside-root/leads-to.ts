/**
 * Where a path leads now, as the name under which those who change it wait for each other. Not a check: every
 * operation walks by itself.
 */
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realLocation } from "./grips/real-location.ts";
import { inHome } from "./grips/walk.ts";
import { joinParts, parseRequest } from "./request-path.ts";
import type { Scope } from "./scope.ts";

export interface LeadsToOptions {
  readonly cwd?: string;
  /** False for what acts on a link itself: remove and move. */
  readonly followLast?: boolean;
}

export function leadsToInside(
  scope: Scope,
  request: string,
  { cwd, followLast = true }: LeadsToOptions,
): string {
  const parsed = parseRequest(inHome(request, scope.home));
  // Nothing is done with such a path.
  if (!parsed.ok) return request;
  const start = cwd === undefined ? undefined : parseRequest(cwd);
  const above = parsed.absolute ? [] : start?.ok === true ? start.parts : scope.roots[0].realParts;
  const full = joinParts([...above, ...parsed.parts]);
  try {
    if (!followLast && lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return join(realLocation(dirname(full)).path, basename(full));
    return realLocation(full).path;
  } catch {
    return full;
  }
}
