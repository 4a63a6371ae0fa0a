/** Finds a program of the system. One in the workspace does not count: it could be anything of that name. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";

const systemFolders = [
  "/usr/bin",
  "/bin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
  "/run/current-system/sw/bin",
];

export function findProgram(
  name: string,
  roots: readonly string[],
  path = process.env.PATH ?? "",
): string | undefined {
  const names = process.platform === "win32" ? [`${name}.exe`] : [name];
  for (const folder of [...systemFolders, ...path.split(delimiter)]) {
    // npm puts the programs of the workspace into PATH, also where a call's roots are only a part of it.
    if (!isAbsolute(folder) || /[\\/]node_modules[\\/]/.test(folder)) continue;
    for (const file of names.map((one) => join(folder, one))) {
      if (isProgramOutside(file, roots)) return file;
    }
  }
  return undefined;
}

function isProgramOutside(file: string, roots: readonly string[]): boolean {
  try {
    accessSync(file, constants.X_OK);
    const real = realpathSync(file);
    const inside = [file, real].some((spelling) => roots.some((root) => isInside(spelling, root)));
    return !inside && statSync(real).isFile();
  } catch {
    return false;
  }
}
