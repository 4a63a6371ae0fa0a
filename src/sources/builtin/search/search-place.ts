/** Where a search starts: a folder or a file of the workspace, with the root that holds it. */
import { join, relative, sep } from "node:path";
import type { Failure } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { InsideRoot } from "../../../safe/files/inside-root/inside-root.ts";
import { rootOf, shownPath, workspaceFiles } from "../../../safe/files/workspace-files.ts";

export interface SearchPlace {
  readonly files: InsideRoot;
  readonly kind: "file" | "directory";
  readonly absolute: string;
  readonly root: string;
  /** From the root to the folder. */
  readonly folder: readonly string[];
  readonly signal: AbortSignal;
  /** How a path below the folder is shown. */
  shown(names: readonly string[]): string;
}

export async function findPlace(
  path: string | undefined,
  context: ToolContext,
): Promise<SearchPlace | (Failure & { readonly kind: "refused" })> {
  const files = workspaceFiles(context);
  const { cwd, signal } = context;
  const facts = await files.stat(path ?? ".", { cwd, signal });
  if (!facts.ok) return { kind: "refused", code: facts.code, message: facts.message };
  const { absolute, kind } = facts;
  if (kind === "other") {
    const message = `${JSON.stringify(path)} is neither a file nor a folder.`;
    return { kind: "refused", code: "not_a_file", message };
  }
  const root = rootOf(absolute, files.roots) as string;
  const folder = relative(root, absolute).split(sep).filter(Boolean);
  const shown = (names: readonly string[]) => shownPath(join(absolute, ...names), context);
  return { files, kind, absolute, root, folder, signal, shown };
}
