/** Matches a path, given as its names, against a pattern whose `**` stands for any number of folders. */
import { compileName, type NamePattern } from "./name-pattern.ts";

export type PathPattern = (names: readonly string[]) => boolean;

const anyFolders = Symbol("**");

/** Undefined when a part of the pattern is broken. */
export function compilePath(pattern: string): PathPattern | undefined {
  const parts: (NamePattern | typeof anyFolders)[] = [];
  for (const part of pattern.split("/").filter((text) => text !== "")) {
    if (part === "**") {
      if (parts.at(-1) !== anyFolders) parts.push(anyFolders);
      continue;
    }
    const name = compileName(part);
    if (name === undefined) return undefined;
    parts.push(name);
  }
  if (parts.length === 0) return undefined;
  // `src/**` is what is in src, not src itself.
  if (parts.at(-1) === anyFolders) parts.push(() => true);
  const [first, last] = parts;
  if (parts.length === 2 && first === anyFolders && typeof last === "function")
    return (names) => names.length > 0 && last(names.at(-1) as string);
  return (names) => matchParts(parts, names);
}

/** As in a name: going back to the last `**` is enough. */
function matchParts(parts: readonly (NamePattern | typeof anyFolders)[], names: readonly string[]): boolean {
  let part = 0;
  let name = 0;
  let folders = -1;
  let foldersName = 0;
  while (name < names.length) {
    const current = parts[part];
    if (current === anyFolders) {
      folders = part;
      foldersName = name;
      part += 1;
    } else if (current?.(names[name] as string) === true) {
      part += 1;
      name += 1;
    } else if (folders !== -1) {
      part = folders + 1;
      foldersName += 1;
      name = foldersName;
    } else return false;
  }
  while (parts[part] === anyFolders) part += 1;
  return part === parts.length;
}
