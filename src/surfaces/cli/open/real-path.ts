/** Where a path leads by links, or the path itself when nothing is there. */
import { realpathSync } from "node:fs";

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
