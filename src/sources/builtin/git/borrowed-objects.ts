/** Tells whether a repository reads objects of another one outside, which would be shown as its own. */
import { readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";

const maxDepth = 5;

export function borrowsFromOutside(commonDir: string, inWorkspace: (path: string) => boolean): boolean {
  return leadsOut(join(commonDir, "objects"), inWorkspace, 0);
}

/** What cannot be followed counts as leading out. */
function leadsOut(objects: string, inWorkspace: (path: string) => boolean, depth: number): boolean {
  let real: string;
  try {
    real = realpathSync(objects);
  } catch {
    return true;
  }
  if (!inWorkspace(real) || depth > maxDepth) return true;
  return alternatesOf(real).some((path) => leadsOut(path, inWorkspace, depth + 1));
}

function alternatesOf(objects: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(objects, "info", "alternates"), "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : ["/"];
  }
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  // A quoted path may hold any byte; nobody writes one here without need.
  return lines.map((line) => (line.startsWith('"') ? "/" : resolve(objects, line)));
}
