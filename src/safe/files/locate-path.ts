/** Answers where a path of a call would lead. For decisions only; file operations check again by handle. */

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, normalize, sep } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { LocatePath, Location } from "../../core/ports/location.ts";
import { quietly } from "../../core/run/quietly.ts";
import { realLocation } from "./inside-root/grips/real-location.ts";
import { type Access, protectedReason } from "./inside-root/protected-names.ts";
import { parseRequest, partsOf } from "./inside-root/request-path.ts";
import { resolveStatePaths, type StatePaths } from "./inside-root/state-paths.ts";

export interface LocateContext {
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Some names are protected only from being written. Not told: judged as a write. */
  readonly access?: Access;
}

export interface OwnPaths {
  /** Our own state and configuration. */
  readonly statePaths?: readonly string[];
  /** Which of them hold keys and tokens. */
  readonly secretPaths?: readonly string[];
  /** Folders of our own programs: not written, and what holds them outside the workspace stays in place. */
  readonly programPaths?: readonly string[];
}

export function createLocatePath(options: OwnPaths = {}) {
  const own: ResolvedOwn = {
    state: resolveStatePaths(options.statePaths ?? []),
    secret: resolveStatePaths(options.secretPaths ?? []),
    programs: resolveStatePaths(options.programPaths ?? []),
  };
  const nowhere = (path: unknown): Location => ({
    absolute: typeof path === "string" ? path : "",
    inside: false,
  });
  const locate = (path: string, context: LocateContext): Location =>
    quietly(() => locateOne(path, context, own)) ?? nowhere(path);
  return locate satisfies LocatePath;
}

interface ResolvedOwn {
  readonly state: StatePaths;
  readonly secret: StatePaths;
  readonly programs: StatePaths;
}

function locateOne(path: string, context: LocateContext, own: ResolvedOwn): Location {
  const written = inFull(path, context.cwd);
  if (written === undefined) return { absolute: path, inside: false };
  const found = realLocation(written);
  const inside = found.doubt === undefined && isInsideBoth(found.path, written, context.roots);
  const paths = [found.path, ...found.links].map(partsOf);
  const access = context.access ?? "write";
  const base = { absolute: found.path, inside };
  // Below a home that is a workspace there are our own files, too.
  const above = paths.some((parts) => own.state.isBelow(parts) && !own.state.holds(parts));
  const holdsOwn = above ? { holdsOwn: true as const } : {};
  const reasonOwn = reasonOfOwn(paths, access, own.state);
  if (reasonOwn !== undefined) {
    const secret = paths.some((parts) => own.secret.holds(parts));
    return { ...base, protected: reasonOwn, own: true, ...holdsOwn, ...(secret && { secret }) };
  }
  if (paths.some((parts) => own.programs.holds(parts)))
    return access === "read"
      ? { ...base, program: true }
      : { ...base, protected: "it is toolgate's own program", own: true, program: true };
  // Packages inside a workspace come and go; without its hook an agent is denied every call.
  if (access === "write" && !inside && paths.some((parts) => own.programs.isBelow(parts)))
    return { ...base, protected: "it holds toolgate's own program", own: true, ...holdsOwn };
  const reason = paths.map((parts) => protectedReason(parts, access)).find((one) => one !== undefined);
  return { ...base, ...holdsOwn, ...(reason !== undefined && { protected: reason }) };
}

/** The absolute path as written, `..` kept, because links change what it means. Undefined: no local path. */
function inFull(path: string, cwd: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return undefined;
  // A shell opens the home directory, a file tool a name: the stricter reading counts.
  const spelled = /^~(?:[\\/]|$)/.test(path) ? `${homedir()}${path.slice(1)}` : path;
  if (spelled.startsWith("~") || !isAbsolute(cwd)) return undefined;
  if (!parseRequest(spelled).ok) return undefined;
  const full = isAbsolute(spelled)
    ? spelled
    : spelled === "."
      ? cwd
      : `${cwd}${cwd.endsWith(sep) ? "" : sep}${spelled}`;
  return full.length > 1 && /[\\/]$/.test(full)
    ? full.replace(process.platform === "win32" ? /[\\/]+$/ : /\/+$/, "") || sep
    : full;
}

/** Both readings must be inside: of programs that shorten `link/..` by text, and of those that follow. */
function isInsideBoth(real: string, written: string, roots: readonly string[]): boolean {
  const realRoots = roots
    .filter((root) => isAbsolute(root))
    .flatMap((root) => quietly(() => realpathSync.native(root)) ?? []);
  if (!realRoots.some((root) => isInside(real, root))) return false;
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(written)) return true;
  const byText = realLocation(normalize(written)).path;
  return realRoots.some((root) => isInside(byText, root));
}

function reasonOfOwn(
  paths: readonly (readonly string[])[],
  access: Access,
  statePaths: StatePaths,
): string | undefined {
  if (paths.some((parts) => statePaths.holds(parts))) return "it belongs to toolgate itself";
  const isAbove = access === "write" && paths.some((parts) => statePaths.isBelow(parts));
  return isAbove ? "it holds toolgate's own state" : undefined;
}
