/** Matches a path, given as its names, against a pattern whose `**` stands for any number of folders. */
import { fitsParts } from "../../../../safe/files/name-pattern.ts";
import { compileName, type NamePattern } from "./name-pattern.ts";

export type PathPattern = (names: readonly string[]) => boolean;

const anyFolders = Symbol("**");

type Part = NamePattern | typeof anyFolders;

/** Undefined when a part of the pattern is broken. */
export function compilePath(pattern: string): PathPattern | undefined {
  const parts: Part[] = [];
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
  const isStar = (part: Part) => part === anyFolders;
  return (names) => fitsParts(parts, names, isStar, (part, name) => part !== anyFolders && part(name));
}
