/** Folders that are made for a file and go again with it. */
import { existsSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "../core/input/inside-folder.ts";

/** The topmost folder that has to be made before this one is there. */
export function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return firstMissing(dirname(folder)) ?? folder;
}

/** From the inside out, up to `last`; ends at the first that somebody uses. */
export function removeEmpty(folder: string, last: string): void {
  if (!isInside(folder, last)) return;
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  removeEmpty(dirname(folder), last);
}
