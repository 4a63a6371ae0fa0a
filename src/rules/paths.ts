/** Paths as rules write them, made absolute; comparison goes by whole names, so `/work-evil` is never inside `/work`. */
import { isAbsolute, resolve, sep } from "node:path";

export function resolvePath(
  path: string,
  view: { readonly root: string; readonly home: string | undefined },
): string {
  if ((path === "~" || path.startsWith("~/")) && view.home !== undefined)
    return resolve(view.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(view.root, path);
}

export function insideFolder(path: string, folder: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
