/** Files that ripgrep leaves out because a repository ignores them. In doubt a file is opened. */
import { statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isLetIn, letInAbove, maxIgnoreBytes } from "./let-in.ts";
import { fitsName } from "./name-pattern.ts";
import { readSmallFile } from "./small-file.ts";

/** `start`: what the search was told to enter; it does so whatever is said of that folder itself. */
export function isIgnored(path: string, start: string): boolean {
  const folders = foldersTo(path);
  if (folders === undefined) return false;
  const letIn = letInAbove(path);
  const isOut = (folder: string): boolean => {
    const parts = relative(folder, path).split(sep);
    const entered = Math.max(0, parts.length - relative(start, path).split(sep).length);
    const ignores = readSmallFile(join(folder, ".gitignore"), maxIgnoreBytes);
    if (typeof ignores === "string") return false;
    return ignores.text.split(/\r?\n/).some((line) => fits(line, parts, entered));
  };
  return !isLetInAnywhere(letIn, relative(start, path)) && folders.some(isOut);
}

/** The folders that hold a file, up to its repository. Undefined: no repository, so nothing is ignored. */
function foldersTo(path: string): readonly string[] | undefined {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (statSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folders;
    if (folder === dirname(folder)) return undefined;
  }
}

function isLetInAnywhere(letIn: ReturnType<typeof letInAbove>, way: string): boolean {
  return way.split(sep).some((name) => isLetIn(letIn, name));
}

// One name: in the file's folder (`/x`), or anywhere below, perhaps after two stars; `x/` means folders.
const simpleLine = /^(\/|\*\*\/)?([\w.*?@+-]+)(\/)?$/;

function fits(line: string, parts: readonly string[], entered: number): boolean {
  const [, before, name = "", after] = simpleLine.exec(line) ?? [];
  if (name === "") return false;
  const pattern = [...name];
  const last = parts.length - (after === undefined ? 0 : 1);
  return parts.some(
    (part, index) =>
      index >= entered && index < last && (before !== "/" || index === 0) && fitsName(pattern, [...part]),
  );
}
