/** Where a file that does not exist yet would be, and which directories would have to be made for it. */
import { basename, dirname, join } from "node:path";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { directoriesBetween } from "./journal/commit.ts";
import type { Workspace } from "./workspace.ts";

export interface NewPlace {
  readonly ok: true;
  /** The real path. */
  readonly absolute: string;
  /** Outer ones first. */
  readonly newDirectories: readonly string[];
}

const mostLevels = 64;

export async function locateNew(workspace: Workspace, path: string): Promise<NewPlace | Failed> {
  const { files, context } = workspace;
  const name = basename(path);
  if (name === "" || name === "." || name === ".." || /[\\/]$/.test(path)) {
    const message = `${JSON.stringify(path)} is not the name of a file.`;
    return { ok: false, code: "invalid_path", message };
  }
  const missing: string[] = [];
  for (let folder = dirname(path); missing.length <= mostLevels; folder = dirname(folder)) {
    const facts = await files.stat(folder, { cwd: context.cwd });
    if (facts.ok && facts.kind !== "directory") {
      const message = `${JSON.stringify(folder)} is not a directory, so nothing can be made inside it.`;
      return { ok: false, code: "not_a_directory", message };
    }
    if (facts.ok) {
      if (missing.length === 0 && (await isTaken(workspace, facts.absolute, name))) return taken(path);
      const newDirectories = directoriesBetween(facts.absolute, missing);
      return { ok: true, absolute: join(newDirectories.at(-1) ?? facts.absolute, name), newDirectories };
    }
    if (facts.code !== "not_found" || basename(folder) === "..") return facts;
    missing.unshift(basename(folder));
  }
  return { ok: false, code: "invalid_path", message: `${JSON.stringify(path)} is too deep.` };
}

/** A link that leads nowhere is no file, but a file written there would appear in another place. */
async function isTaken({ files }: Workspace, folder: string, name: string): Promise<boolean> {
  const listing = await files.list(folder, { details: false, limit: 100_000 });
  return listing.ok && listing.entries.some((entry) => entry.path === name);
}

export function taken(path: string): Failed {
  const message = `${JSON.stringify(path)} exists already. Change it with an edit, or choose another name.`;
  return { ok: false, code: "exists", message };
}
