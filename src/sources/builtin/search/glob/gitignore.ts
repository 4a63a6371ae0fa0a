/** Reads a .gitignore file. Braces are choices here, as in ripgrep, though git takes them literally. */
import { expandBraces } from "./braces.ts";
import { compileName, type NamePattern } from "./name-pattern.ts";
import { compilePath, type PathPattern } from "./path-pattern.ts";

export interface IgnoreRules {
  /** `names` lead from the folder of the file to the entry. Undefined: the file does not speak of it. */
  verdict(names: readonly string[], isDirectory: boolean): "ignored" | "kept" | undefined;
}

interface Rule {
  readonly keeps: boolean;
  readonly directoriesOnly: boolean;
  /** Of the last name alone, or of the whole path. */
  readonly name?: NamePattern;
  readonly path?: PathPattern;
}

/** More lines than this are not read: nobody writes them by hand. */
const maxLines = 10_000;

export function parseGitignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/, maxLines)
    .flatMap(parseLine)
    // The last rule that matches decides.
    .reverse();
  return {
    verdict(names, isDirectory) {
      const last = names.at(-1) ?? "";
      for (const rule of rules) {
        if (rule.directoriesOnly && !isDirectory) continue;
        if (rule.name === undefined ? rule.path?.(names) : rule.name(last))
          return rule.keeps ? "kept" : "ignored";
      }
      return undefined;
    },
  };
}

function parseLine(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  let pattern = withoutTrailingSpaces(line);
  const keeps = pattern.startsWith("!");
  if (keeps) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  if (pattern === "" || pattern === "/") return [];
  return (expandBraces(pattern) ?? []).flatMap((one): Rule[] => {
    // A slash anywhere but at the end ties the pattern to the folder of the file.
    if (one.includes("/")) {
      const path = compilePath(one);
      return path === undefined ? [] : [{ keeps, directoriesOnly, path }];
    }
    const name = compileName(one);
    return name === undefined ? [] : [{ keeps, directoriesOnly, name }];
  });
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}
