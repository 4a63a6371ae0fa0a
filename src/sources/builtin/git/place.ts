/** From a call's paths to git's: the repository, and pathspecs that are neither options nor patterns. */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Failed, Failure } from "../../../core/call/tool-answer.ts";
import { isInside } from "../../../core/input/inside-folder.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { realLocation } from "../../../safe/files/inside-root/grips/real-location.ts";
import { parseRequest } from "../../../safe/files/inside-root/request-path.ts";
import { workspaceFiles } from "../../../safe/files/workspace-files.ts";
import { type Git, openGit } from "./open-git.ts";
import type { Repository } from "./repository.ts";

/** The repository around a folder or file; without a path, around the working folder. */
export async function openGitAt(path: string | undefined, context: ToolContext): Promise<Git | Failure> {
  const { cwd, signal } = context;
  const place = await workspaceFiles(context).stat(path ?? cwd, { cwd, signal });
  if (!place.ok) return place;
  return openGit(place.kind === "directory" ? place.absolute : dirname(place.absolute), context);
}

export type Chosen = { readonly ok: true; readonly pathspecs: readonly string[] } | Failed;

/** What to look at: the paths, or the whole workspace. A path need not exist: it may be deleted. */
export function choosePaths(
  { top, within }: Repository,
  paths: readonly string[],
  context: ToolContext,
): Chosen {
  const chosen: string[] = [];
  const cwd = realLocation(context.cwd).path;
  for (const path of paths) {
    const request = parseRequest(path);
    if (!request.ok) return request;
    const absolute = realPlace(resolve(cwd, path));
    const inside = context.roots.some((root) => isInside(absolute, root));
    if (!inside) {
      const message = `${JSON.stringify(path)} leads outside of the workspace. Name a path inside it.`;
      return { ok: false, code: "outside_root", message };
    }
    if (!isInside(absolute, top)) {
      const message = `${JSON.stringify(path)} is not in this repository. Name a path inside it.`;
      return { ok: false, code: "outside_repository", message };
    }
    chosen.push(relative(top, absolute));
  }
  return { ok: true, pathspecs: (paths.length === 0 ? within : chosen).map(pathspec) };
}

/** From the top, every character for itself. An empty path is the whole work tree. */
export function pathspec(path: string): string {
  return `:(top,literal)${path.split(sep).join("/")}`;
}

/** The last name itself is not followed: a link in the repository is an entry of it. */
function realPlace(absolute: string): string {
  if (dirname(absolute) === absolute) return absolute;
  try {
    return join(realLocation(dirname(absolute)).path, basename(absolute));
  } catch {
    return "/";
  }
}
