/** Answers, before a call runs, where a path of it would lead. For decisions only; the file operations check again by handle. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, normalize, sep } from "node:path";
import type { LocatePath, Location } from "../core/location.ts";
import { type Access, protectedReason } from "./inside-root/protected-names.ts";
import { realLocation } from "./inside-root/real-location.ts";
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
}

export function createLocatePath(options: OwnPaths = {}) {
  const statePaths = resolveStatePaths(options.statePaths ?? []);
  const secretPaths = resolveStatePaths(options.secretPaths ?? []);
  const locate = (path: string, context: LocateContext): Location => {
    try {
      return locateOne(path, context, statePaths, secretPaths);
    } catch {
      return { absolute: typeof path === "string" ? path : "", inside: false };
    }
  };
  return locate satisfies LocatePath;
}

function locateOne(
  path: string,
  context: LocateContext,
  statePaths: StatePaths,
  secretPaths: StatePaths,
): Location {
  const written = inFull(path, context.cwd);
  if (written === undefined) return { absolute: path, inside: false };
  const found = realLocation(written);
  const inside = found.doubt === undefined && isInside(found.path, written, context.roots);
  const paths = [found.path, ...found.links].map(partsOf);
  const access = context.access ?? "write";
  const own = reasonOfOwn(paths, access, statePaths);
  if (own !== undefined) {
    const secret = paths.some((parts) => secretPaths.holds(parts));
    return { absolute: found.path, inside, protected: own, own: true, ...(secret && { secret }) };
  }
  const reason = paths.map((parts) => protectedReason(parts, access)).find((one) => one !== undefined);
  return reason === undefined
    ? { absolute: found.path, inside }
    : { absolute: found.path, inside, protected: reason };
}

/** The absolute path as written, `..` kept: behind a link it does not mean what the text says. Undefined: no path, or not a local one. */
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

/** Both readings must be inside: programs that shorten `link/..` by text and those that follow the link first. */
function isInside(real: string, written: string, roots: readonly string[]): boolean {
  const realRoots = roots.flatMap((root) => realRoot(root));
  if (!realRoots.some((root) => holds(root, real))) return false;
  if (!/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(written)) return true;
  const byText = realLocation(normalize(written)).path;
  return realRoots.some((root) => holds(root, byText));
}

function realRoot(root: string): string[] {
  try {
    return isAbsolute(root) ? [realpathSync.native(root)] : [];
  } catch {
    return [];
  }
}

function holds(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
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
