/** Makes a folder of the state folder. Only this one: a state folder that was deleted while it is used is not made anew. */
import { mkdirSync } from "node:fs";

export function makeOwnFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
