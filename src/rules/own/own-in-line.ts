/** Ways of a line to toolgate's own files that no path of a single command shows. */

import { fileNamedBy } from "../../core/input/file-uri.ts";
import type { JudgedCommand } from "../../core/ports/command.ts";
import type { Location } from "../../core/ports/location.ts";
import { textsThatRun } from "./persons-commands.ts";

export type LocateRead = (path: string) => Location;

/** The folders in which git is told to work: it can show what lies there. Undefined: too many. */
export function gitFolders({ argv }: JudgedCommand): readonly string[] | undefined {
  if (!/(?:^|\/)git$/.test(argv[0] ?? "")) return [];
  const folders = argv.flatMap((word, at) => {
    const joined = /^--(?:work-tree|git-dir)=(.+)$/.exec(word)?.[1];
    if (joined !== undefined) return [joined];
    return /^(?:-C|--work-tree|--git-dir)$/.test(word) ? (argv[at + 1] ?? []) : [];
  });
  const all = new Set(folders);
  return all.size > maxFolders ? undefined : [...all];
}

/**
 * Paths in the words of a program that may open more than its operands: `-d @FILE`, `--wd=FILE`, scripts.
 * Undefined: too many to look at.
 */
export function pathsInWords({ argv, risk }: JudgedCommand): readonly string[] | undefined {
  if (risk === "read" || risk === "write") return [];
  const found = new Set<string>();
  for (const text of [...textsThatRun(argv), ...argv.filter((word) => /^-[^=]*=/.test(word))]) {
    if (!/[/~]|\$\{?HOME\b/.test(text)) continue;
    for (const piece of text.replace(/\$(?:HOME\b|\{HOME\})/g, "~").split(/[\s"'`=:@,;|&<>(){}[\]]+/)) {
      const start = piece.search(/~\/|\//);
      if (start < 0) continue;
      found.add(piece);
      if (start > 0) found.add(piece.slice(start));
      // `file://~/x`
      const home = piece.lastIndexOf("~/");
      if (home > 0) found.add(piece.slice(home));
      if (found.size > maxPaths) return undefined;
    }
  }
  return [...found];
}

/** Where a path leads is asked of the file system, link by link. */
const maxPaths = 256;
const maxFolders = 16;

/** curl and wget open such a file. What each of them makes of a pattern in it, nobody knows. */
export function locateFileUri(uri: string, locate: LocateRead): Location {
  const named = fileNamedBy(uri) ?? fileNamedBy(uri.replace(/^\s*file:(?:\/\/localhost)?\/*/i, "file:///"));
  if (named !== undefined && !/[[\]{}*?]/.test(named)) return locate(named);
  return {
    absolute: uri,
    inside: false,
    own: true,
    secret: true,
    protected: "nobody can tell which file it means",
  };
}

/** The word that leads to our files, if another command opens what it is told (`xargs`). Undefined: none. */
export function handedOn(commands: readonly JudgedCommand[], locate: LocateRead): string | undefined {
  if (commands.length < 2 || !commands.some(opensWhatItIsTold)) return undefined;
  let looked = 0;
  for (const { argv } of commands) {
    const onlyNames = namesOnly.test(argv[0] ?? "");
    for (const word of argv.slice(1)) {
      if (!/[/~]/.test(word)) continue;
      if (++looked > maxPaths) return word;
      const { own, holdsOwn } = locate(word);
      if (own === true || (holdsOwn === true && !onlyNames)) return word;
    }
  }
  return undefined;
}

const namesOnly = /^(?:cd|pushd|echo|printf|ls|test|\[|mkdir|export)$/;

function opensWhatItIsTold({ unknownPaths, pathsNotChosen, risk, via }: JudgedCommand): boolean {
  // What `find` runs is judged with the folder that it looks in.
  const isIn = (name: string) => via.some((wrapper) => wrapper === name || wrapper.endsWith(`/${name}`));
  if (!unknownPaths || pathsNotChosen === true || isIn("find")) return false;
  return risk === "read" || risk === "write" || isIn("xargs");
}
