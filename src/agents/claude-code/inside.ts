/** Whether a path stays in a folder, by its text; links are for the caller to follow first. */
import { isAbsolute, relative, sep } from "node:path";

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
