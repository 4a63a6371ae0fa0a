/** Tells whether a file or folder is still the one that was read, without reading it. */
import { type Stats, statSync } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Holds the change time, which nobody can set back: no file of the same size and date can slip in. Times are
 * exact to a quarter of a microsecond, far below the ticks of any file system.
 */
export function identityOf(path: string): string {
  const stat = look(path);
  if (stat === undefined) return notThere;
  if (typeof stat === "string") return `!${stat}`;
  const kind = stat.isDirectory() ? "d" : stat.isFile() ? "f" : "o";
  // Which folder it is, whatever happens in it: a link may lead to another one now.
  if (path.endsWith("/")) return `${kind} ${stat.ino} ${stat.dev}`;
  // A repository changes with every commit; only whether it is there says anything.
  if (basename(path) === ".git") return kind;
  return `${kind}${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino} ${stat.dev}`;
}

export const notThere = "-";

/**
 * Whether what is there now was there at that time. A file that changed meanwhile may have been read before
 * the change and looked at after it; rules kept under such an identity would be old for ever.
 */
export function isSettled(path: string, since: number): boolean {
  const stat = look(path);
  if (typeof stat === "string") return false;
  if (stat !== undefined) return path.endsWith("/") || basename(path) === ".git" || isOlder(stat, since);
  // What is not there may just have been deleted; its folder would tell.
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const above = look(folder);
    if (typeof above === "string") return false;
    if (above !== undefined) return isOlder(above, since);
    if (folder === dirname(folder)) return false;
  }
}

/** Clocks of file systems tick every few milliseconds; some show whole seconds and tick every two. */
function isOlder({ mtimeMs, ctimeMs }: Stats, since: number): boolean {
  const newest = Math.max(mtimeMs, ctimeMs);
  return newest < since - (newest % 1_000 === 0 ? 2_000 : 50);
}

/** Undefined: not there. Text: why it cannot be looked at. */
function look(path: string): Stats | string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return code === "ENOTDIR" ? undefined : code;
  }
}
