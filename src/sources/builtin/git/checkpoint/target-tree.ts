/** The files of a checkpoint that belong to the workspace of this call, as a tree. */
import type { Failure } from "../../../../core/call/tool-answer.ts";
import { namesIn, toInput } from "../files-on-disk.ts";
import { type Git, maxListBytes, type Named, nameIn } from "../open-git.ts";
import type { Shadow } from "./shadow.ts";

export interface Entry {
  /** Bytes in latin1. */
  readonly name: string;
  /** As `ls-tree` prints it and `update-index --index-info` reads it. */
  readonly line: string;
}

export async function entriesOf(git: Git, shadow: Shadow, tree: string): Promise<readonly Entry[] | Failure> {
  const listed = await shadow.run(["ls-tree", "-r", "-z", tree], { maxBytes: maxListBytes });
  if (!listed.ok) return listed;
  if (listed.cut)
    return { code: "too_many_files", message: "The checkpoint has too many files to be restored." };
  const within = git.repository.within.map((path) => Buffer.from(`${path}/`).toString("latin1"));
  return namesIn(listed.stdout).flatMap((line) => {
    const name = line.slice(line.indexOf("\t") + 1);
    const isFile = /^(?:100644|100755|120000) blob /.test(line);
    const ours = within.length === 0 || within.some((folder) => name.startsWith(folder));
    return isFile && ours ? [{ name, line }] : [];
  });
}

/** In an index of its own: the usual one knows what is on the disk. */
export async function writeEntries(shadow: Shadow, entries: readonly Entry[]): Promise<Named> {
  const index = "index-of-target";
  const emptied = await shadow.run(["read-tree", "--empty"], { index });
  if (!emptied.ok) return emptied;
  if (entries.length > 0) {
    const input = toInput(entries.map(({ line }) => line));
    const filled = await shadow.run(["update-index", "-z", "--index-info"], { index, input });
    if (!filled.ok) return filled;
  }
  return nameIn(await shadow.run(["write-tree"], { index }));
}
