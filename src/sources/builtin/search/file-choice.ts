/** Which files of a tree are looked at: decided by their names alone, the same way whoever walks. */
import { compileGlobs } from "./glob/glob.ts";
import type { PathPattern } from "./glob/path-pattern.ts";

export interface FileChoice {
  readonly ok: true;
  readonly hidden: boolean;
  /** Also what .gitignore files leave out. */
  readonly ignored: boolean;
  /** Expanded, for a walker that can leave out files by itself. Empty: all files. */
  readonly include: readonly string[];
  /** False: neither told nor entered. `names` lead from the folder that is searched. */
  mayEnter(names: readonly string[]): boolean;
  wantsFile(names: readonly string[]): boolean;
}

export interface ChoiceOptions {
  readonly hidden?: boolean | undefined;
  readonly ignored?: boolean | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** The insides of version control are never what a search means. */
export const neverEntered = [".git", ".hg", ".svn", ".jj"] as const;

export function chooseFiles(
  options: ChoiceOptions,
): FileChoice | { readonly ok: false; readonly message: string } {
  const include = compileGlobs(options.include ?? []);
  if (!include.ok) return include;
  const exclude = compileGlobs(options.exclude ?? []);
  if (!exclude.ok) return exclude;
  const { hidden = true, ignored = false } = options;
  const isOpen = (names: readonly string[], leavesOut: PathPattern) =>
    (hidden || !names.at(-1)?.startsWith(".")) && !leavesOut(names);
  return {
    ok: true,
    hidden,
    ignored,
    include: include.patterns,
    mayEnter: (names) =>
      !neverEntered.some((name) => name === names.at(-1)) && isOpen(names, exclude.matches),
    wantsFile: (names) =>
      isOpen(names, exclude.matches) && (include.patterns.length === 0 || include.matches(names)),
  };
}
