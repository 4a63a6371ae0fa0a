/** Paths as rules write them, made absolute. */
import { isAbsolute, resolve } from "node:path";

export function resolvePath(
  path: string,
  view: { readonly root: string; readonly home: string | undefined },
): string {
  if ((path === "~" || path.startsWith("~/")) && view.home !== undefined)
    return resolve(view.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(view.root, path);
}
