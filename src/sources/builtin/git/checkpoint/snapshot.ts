/** Takes the work tree as it is, tracked and untracked files but no ignored ones, into a tree object. */
import type { Failure } from "../../../../core/call/tool-answer.ts";
import { filesOnDisk, namesIn, updateIndex } from "../files-on-disk.ts";
import { type Git, maxListBytes, nameIn } from "../open-git.ts";
import { pathspec } from "../place.ts";
import type { Shadow } from "./shadow.ts";

export interface Snapshot {
  readonly tree: string;
  readonly files: number;
  /** Not in it: repositories of their own, and files that are too large. Names are bytes in latin1. */
  readonly folders: readonly string[];
  readonly tooLarge: readonly string[];
}

export const maxFileBytes = 100 * 1024 * 1024;

/** `besides`: paths to take although they are ignored now. */
export async function takeSnapshot(
  git: Git,
  shadow: Shadow,
  besides: readonly string[] = [],
): Promise<Snapshot | Failure> {
  const { top, within } = git.repository;
  const listed = await git.run(
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...within.map(pathspec)],
    { maxBytes: maxListBytes },
  );
  if (!listed.ok) return listed;
  const before = await shadow.run(["ls-files", "-z"], { maxBytes: maxListBytes });
  if (!before.ok) return before;
  if (listed.cut || before.cut) {
    const message = "There are too many files for a checkpoint. Ignore generated ones in .gitignore.";
    return { code: "too_many_files", message };
  }
  const names = [...namesIn(listed.stdout), ...besides];
  const { present, folders, tooLarge } = await filesOnDisk(top, names, maxFileBytes);
  const kept = new Set(present);
  const gone = namesIn(before.stdout).filter((name) => !kept.has(name));
  const refused = await updateIndex(shadow.run, { present, gone });
  if (refused !== undefined) return refused;
  const tree = nameIn(await shadow.run(["write-tree"]));
  return tree.ok ? { tree: tree.id, files: present.length, folders, tooLarge } : tree;
}
