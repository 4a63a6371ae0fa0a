/** Which folder a session works in, and which one it keeps others from writing to. */
import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { quietly } from "../core/run/quietly.ts";
import { findRepository } from "../safe/files/repository/find-git-dir.ts";

/** Links followed. Undefined: there is no such folder. */
export function realFolder(folder: string): string | undefined {
  return quietly(() => (statSync(folder).isDirectory() ? realpathSync(folder) : undefined));
}

/** Undefined: it is still what was allowed. A link in its place would lead every call of the session elsewhere. */
export function explainMoved(folder: string): string | undefined {
  const now = realFolder(folder);
  if (now === folder) return undefined;
  return now === undefined
    ? `The folder ${folder} of this session is gone.`
    : `The folder ${folder} of this session is a link now, and leads to ${now}.`;
}

/** The top of the work tree, or the folder itself: two sessions in one repository see each other's edits. */
export function folderKey(folder: string): string {
  const found = findRepository(folder, [folder]);
  return found !== undefined && "top" in found ? found.top : folder;
}

/**
 * Why no session works there; undefined: it may. Whoever writes in `.git` writes to the repository around it, past
 * the session that holds it, and into the hooks that git runs.
 */
export function explainGitFolder(folder: string): string | undefined {
  const parts = folder.split(sep);
  const at = parts.findIndex((part) => part.toLowerCase() === ".git");
  if (at === -1) return undefined;
  const repository = parts.slice(0, at).join(sep) || sep;
  return `${folder} is git's own folder. Name the folder of the repository: ${repository}`;
}
