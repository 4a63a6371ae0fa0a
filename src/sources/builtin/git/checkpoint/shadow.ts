/**
 * A repository of our own beside the person's: its objects go to theirs, but index, attributes and
 * configuration are ours. So files are taken and brought back byte for byte (no line-ending conversion, no
 * filter), and the person's index is never opened for writing.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Failure } from "../../../../core/call/tool-answer.ts";
import type { Git, GitEnd, GitOptions } from "../open-git.ts";

export interface Shadow {
  /** `index`: another one than that which knows what is on the disk. */
  run(args: readonly string[], options?: GitOptions & { readonly index?: string }): Promise<GitEnd>;
  /** Turns the files on the disk from those of `from` into those of `to`, unless unsaved work is there. */
  switchFiles(from: string, to: string): Promise<GitEnd>;
}

/** Its index stays between two calls, so that only what changed since is read again. */
export async function openShadow(git: Git, folder: string): Promise<Shadow | Failure> {
  const format = await git.run(["rev-parse", "--show-object-format"]);
  if (!format.ok) return format;
  await prepare(folder, format.stdout.toString().trim());
  const env = {
    GIT_DIR: folder,
    GIT_OBJECT_DIRECTORY: join(git.repository.commonDir, "objects"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    // What a tree is called is what it is.
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_AUTHOR_NAME: "toolgate",
    GIT_AUTHOR_EMAIL: "toolgate@localhost",
    GIT_COMMITTER_NAME: "toolgate",
    GIT_COMMITTER_EMAIL: "toolgate@localhost",
  };
  const settings = [
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.attributesFile=/dev/null",
    "core.splitIndex=false",
    "core.fileMode=true",
    "i18n.commitEncoding=UTF-8",
  ];
  const shadow: Shadow = {
    run: (args, { index = "index", ...options } = {}) => {
      const places = { ...env, GIT_INDEX_FILE: join(folder, index) };
      return git.run(args, { timeoutMs: 120_000, ...options, env: places, settings });
    },
    switchFiles: async (from, to) => {
      await writeFile(join(folder, "HEAD"), `${from}\n`);
      // By itself git takes ignored files for worthless and deletes what is in the way of them.
      const end = await shadow.run([
        "checkout",
        "--quiet",
        "--no-overwrite-ignore",
        "--no-recurse-submodules",
        "--detach",
        to,
      ]);
      await writeFile(join(folder, "HEAD"), noBranch);
      return end;
    },
  };
  return shadow;
}

const noBranch = "ref: refs/heads/none\n";

/** The least that git takes for a repository. Attributes here win over those of the work tree. */
async function prepare(folder: string, objectFormat: string): Promise<void> {
  const files = {
    HEAD: noBranch,
    config:
      objectFormat === "sha1"
        ? "[core]\n\trepositoryformatversion = 0\n"
        : `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${objectFormat}\n`,
    "info/attributes": "* -text !crlf !eol !ident !filter !working-tree-encoding\n",
  };
  for (const name of ["refs", "info"]) await mkdir(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // Left by a git that was cancelled; one call at a time works here.
  for (const name of ["index.lock", "index-of-target.lock"]) await rm(join(folder, name), { force: true });
}
