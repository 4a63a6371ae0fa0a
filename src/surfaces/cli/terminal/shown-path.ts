/** How a file is named to a person: short where they stand, in full elsewhere, with nothing hidden in it. */
import { isAbsolute, relative } from "node:path";
import { visible } from "../../../core/text/visible.ts";

export function shownPath(file: string, cwd: string): string {
  const near = relative(cwd, file);
  const isInside = near !== "" && near.split(/[\\/]/)[0] !== ".." && !isAbsolute(near);
  return visible(isInside ? near : file);
}

/** `toolgate.yaml:3`. */
export function shownPlace(
  { file, line }: { readonly file: string; readonly line?: number },
  cwd: string,
): string {
  const path = shownPath(file, cwd);
  return line === undefined ? path : `${path}:${line}`;
}
