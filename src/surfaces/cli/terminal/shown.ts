/** How paths, rules and longer texts are shown to a person, with nothing hidden in them. */
import { isAbsolute, relative } from "node:path";
import type { RuleRef } from "../../../core/call/errors.ts";
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

/** `policy "no-force-push" (toolgate.yaml:3)`. */
export function shownRule({ kind, name, source }: RuleRef, cwd: string): string {
  const place = source === undefined ? "" : ` (${shownPlace(source, cwd)})`;
  return `${kind} "${visible(name)}"${place}`;
}

/** Every line of the text, moved to the right. */
export function indented(text: string, by: number): string {
  return visible(text, { keepNewlines: true }).trimEnd().replaceAll(/^/gm, " ".repeat(by));
}

/** To be typed into a shell as one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
