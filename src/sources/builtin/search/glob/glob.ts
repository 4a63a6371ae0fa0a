/** The globs of callers: `*.ts` at any depth, `src/**` from the searched folder, `{a,b}` as a choice. */
import { expandBraces } from "./braces.ts";
import { compilePath, type PathPattern } from "./path-pattern.ts";

export type Glob =
  | { readonly ok: true; readonly matches: PathPattern; readonly patterns: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** One that matches what any of them matches. */
export function compileGlobs(globs: readonly string[]): Glob {
  const matchers: PathPattern[] = [];
  const patterns: string[] = [];
  for (const glob of globs) {
    const refuse = (why: string) => ({ ok: false, message: `The glob ${quoted(glob)} ${why}` }) as const;
    const problem = problemOf(glob);
    const expanded = problem === undefined ? expandBraces(glob) : [];
    if (problem !== undefined || expanded === undefined)
      return refuse(problem ?? "has an open or too large {...}.");
    for (const one of expanded) {
      const pattern = one.replace(/^(?:\.\/)+/, "/");
      const matcher = compilePath(pattern.includes("/") ? pattern : `**/${pattern}`);
      if (matcher === undefined) return refuse("is broken: close its [ or remove the \\ at its end.");
      matchers.push(matcher);
      patterns.push(pattern);
    }
  }
  return { ok: true, patterns, matches: (names) => matchers.some((matches) => matches(names)) };
}

function problemOf(glob: string): string | undefined {
  if (/^[\s./]*$/.test(glob)) return "names nothing.";
  if (glob.length > 1_000) return "is longer than 1,000 characters.";
  if (glob.split("/").includes("..")) return "steps upwards. Name the folder to search in `path` instead.";
  return undefined;
}

function quoted(glob: string): string {
  return JSON.stringify(glob.length > 100 ? `${glob.slice(0, 100)}…` : glob);
}
