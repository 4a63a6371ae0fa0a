/** Takes the work tree as it is, tracked and untracked files but no ignored ones, into a tree object. */
import type { Failure } from "../../../../core/call/tool-answer.ts";
import { filesOnDisk, namesIn, toInput } from "../files-on-disk.ts";
import type { Git } from "../open-git.ts";
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
const maxListBytes = 64 * 1024 * 1024;

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
    return {
      code: "too_many_files",
      message: "There are too many files for a checkpoint. Ignore generated ones in .gitignore.",
    };
  }
  const { present, folders, tooLarge } = await filesOnDisk(
    top,
    [...namesIn(listed.stdout), ...besides],
    maxFileBytes,
  );
  const kept = new Set(present);
  const gone = namesIn(before.stdout).filter((name) => !kept.has(name));
  // Gone first: a file may have become a folder.
  for (const [names, options] of [
    [gone, ["--force-remove"]],
    [present, ["--add", "--remove", "--replace"]],
  ] as const) {
    if (names.length === 0) continue;
    const end = await shadow.run(["update-index", "-z", ...options, "--stdin"], { input: toInput(names) });
    if (!end.ok) return end;
  }
  const tree = await shadow.run(["write-tree"]);
  if (!tree.ok) return tree;
  return { tree: tree.stdout.toString().trim(), files: present.length, folders, tooLarge };
}
