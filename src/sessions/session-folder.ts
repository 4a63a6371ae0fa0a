/** Which folder a session works in, and which one it keeps others from writing to. */
import { realpathSync, statSync } from "node:fs";
import { quietly } from "../core/run/quietly.ts";
import { findRepository } from "../safe/files/repository/find-git-dir.ts";

/** Links followed. Undefined: there is no such folder. */
export function realFolder(folder: string): string | undefined {
  return quietly(() => (statSync(folder).isDirectory() ? realpathSync(folder) : undefined));
}

/** The top of the work tree, or the folder itself: two sessions in one repository see each other's edits. */
export function folderKey(folder: string): string {
  const found = findRepository(folder, [folder]);
  return found !== undefined && "top" in found ? found.top : folder;
}
