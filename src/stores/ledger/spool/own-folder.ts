/** Folders of the state folder. */
import { mkdirSync, readdirSync } from "node:fs";

/** Only this one: a state folder that was deleted while it is used is not made anew. */
export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The names in it, sorted; none where it is not there. */
export function listOwnFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
