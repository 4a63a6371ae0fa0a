/** The files of the workspace as a tool may touch them, and how their paths are shown. */
import { homedir } from "node:os";
import { relative, sep } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { createInsideRoot, type InsideRoot, type InsideRootOptions } from "./inside-root/inside-root.ts";

/** Checks by handle once more what the gate let pass: the roots, and the paths opened for this call. */
export function workspaceFiles(
  { roots, opened, statePaths }: Pick<ToolContext, "roots" | "opened" | "statePaths">,
  options: Omit<InsideRootOptions, "roots" | "opened" | "home"> = {},
): InsideRoot {
  const state = [...statePaths, ...(options.statePaths ?? [])];
  return createInsideRoot({ ...options, roots, opened, home: homedir(), statePaths: state });
}

/** For a tool that opens only the paths it is given: a link made after the decision leads nowhere. */
export function judgedFiles(
  context: Pick<ToolContext, "roots" | "opened" | "statePaths" | "judgedPaths">,
  options: Omit<InsideRootOptions, "roots" | "opened" | "home" | "only"> = {},
): InsideRoot {
  return workspaceFiles(context, { ...options, only: context.judgedPaths });
}

/** The innermost root that holds the path. */
export function rootOf(absolute: string, roots: readonly string[]): string | undefined {
  const holding = roots.filter((root) => isInside(absolute, root));
  return holding.sort((left, right) => right.length - left.length)[0] ?? roots[0];
}

/** As a next call can name it: relative to the working folder where it is below it, with /. */
export function shownPath(absolute: string, { cwd }: Pick<ToolContext, "cwd">): string {
  const below = relative(cwd, absolute);
  if (below === "") return ".";
  if (below === ".." || below.startsWith(`..${sep}`)) return absolute;
  return sep === "/" ? below : below.replaceAll(sep, "/");
}
