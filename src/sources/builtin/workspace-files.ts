/** The files of the workspace as a tool may touch them, and how their paths are shown. */
import { relative, sep } from "node:path";
import type { ToolContext } from "../../core/tool.ts";
import { createInsideRoot, type InsideRoot } from "../../safe/inside-root/inside-root.ts";

/** What the gate let pass is checked here once more, by handle: outside of the roots nothing can be reached, approved or not. */
export function workspaceFiles({ roots }: Pick<ToolContext, "roots">, maxBytes?: number): InsideRoot {
  return createInsideRoot({ roots, ...(maxBytes !== undefined && { maxBytes }) });
}

/** As a next call can name it: relative to the working folder where it is below it, with /. */
export function shownPath(absolute: string, { cwd }: Pick<ToolContext, "cwd">): string {
  const below = relative(cwd, absolute);
  if (below === "") return ".";
  if (below === ".." || below.startsWith(`..${sep}`)) return absolute;
  return sep === "/" ? below : below.replaceAll(sep, "/");
}
