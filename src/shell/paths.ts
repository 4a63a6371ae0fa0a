/** Relative paths after a `cd`: joined to each directory the line may be in. */

import { posix } from "node:path";
import type { Directory, Walk } from "./walk.ts";

/** `undefined` for a directory that is not known. Without a `cd` the path stays as written. */
export function resolvePaths(walk: Walk, path: string): readonly (string | undefined)[] {
  if (walk.directories.length === 1 && walk.directories[0] === "") return [path];
  if (path.startsWith("/") || path.startsWith("~")) return [path];
  return walk.directories.map((directory) => joinTo(walk.context.cwd, directory, path));
}

/** Not normalised: `link/../x` leaves through the link's target, and only the file system can tell. */
function joinTo(cwd: string, directory: Directory, path: string): string | undefined {
  if (directory === null) return undefined;
  if (directory === "") return path;
  const base = directory.startsWith("/") || directory.startsWith("~") ? directory : `${cwd}/${directory}`;
  return base.endsWith("/") ? base + path : `${base}/${path}`;
}

/** Where `cd target` leads, as the shell does it: `..` is taken from the text. */
export function changeDirectory(from: Directory, target: string): Directory {
  const absolute = target.startsWith("/") || target.startsWith("~");
  if (from === null && !absolute) return null;
  const joined = absolute || from === "" ? target : `${from}/${target}`;
  if (joined.length > MAX_PATH) return null;
  if (!NEEDS_NORMALIZING.test(joined)) return joined;
  const normal = posix.normalize(joined);
  return normal === "." || normal === "./" ? "" : normal;
}

const MAX_PATH = 4_096;
const NEEDS_NORMALIZING = /(?:^|\/)(?:\.\.?)?(?:\/|$)/;
