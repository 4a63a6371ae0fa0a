/**
 * Makes a commit without running anything: no hook, filter, signature, nor the status that `git commit`
 * prints when there is nothing to commit and which looks into submodules.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Git, type Named, nameIn } from "../open-git.ts";
import { withPrivateFolder } from "../private-folder.ts";
import { type Staging, stage } from "./stage.ts";

export interface CommitRequest {
  readonly message: string;
  /** Undefined: what is staged. */
  readonly staging: Staging | undefined;
  /** Only what is staged by this call, whatever else is in the index. */
  readonly only: boolean;
}

const unfinished = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];

export async function plainCommit(git: Git, request: CommitRequest): Promise<Named> {
  const state = unfinished.find((name) => existsSync(join(git.repository.gitDir, name)));
  if (state !== undefined) {
    const message = `A merge, cherry-pick or revert is under way (${state}). Finish it with git in a terminal first.`;
    return { ok: false, code: "unfinished", message };
  }
  const head = nameIn(await git.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]));
  const parent = head.ok ? head.id : undefined;
  const tree = await treeOf(git, request, parent);
  if (!tree.ok) return tree;
  const before = parent === undefined ? undefined : nameIn(await git.run(["rev-parse", `${parent}^{tree}`]));
  if (before?.ok === true ? before.id === tree.id : await isEmpty(git, tree.id)) {
    const message =
      "Nothing to commit: what would be committed is the same as the last commit. git.status shows what is changed.";
    return { ok: false, code: "nothing_to_commit", message };
  }
  const parents = parent === undefined ? [] : ["-p", parent];
  const how = { input: request.message, settings: ["i18n.commitEncoding=UTF-8"] };
  const made = nameIn(await git.run(["commit-tree", tree.id, ...parents, "-F", "-"], how));
  if (!made.ok) return made;
  const subject = request.message.split("\n", 1)[0] ?? "";
  const note = `commit${parent === undefined ? " (initial)" : ""}: ${subject}`;
  // With the old value: if somebody else committed meanwhile, nothing is lost.
  const moved = await git.run(["update-ref", "-m", note, "HEAD", made.id, parent ?? ""]);
  return moved.ok ? made : moved;
}

async function treeOf(
  git: Git,
  { staging, only }: CommitRequest,
  parent: string | undefined,
): Promise<Named> {
  if (staging !== undefined) {
    const failure = await stage(git, staging);
    if (failure !== undefined) return { ok: false, ...failure };
  }
  if (!only || staging === undefined) return nameIn(await git.run(["write-tree"]));
  return withPrivateFolder(async (folder) => {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    const base = parent === undefined ? ["--empty"] : [parent];
    const read = await git.run(["read-tree", ...base], { env, settings: ["core.splitIndex=false"] });
    if (!read.ok) return read;
    const failure = await stage(git, staging, env);
    return failure === undefined ? nameIn(await git.run(["write-tree"], { env })) : { ok: false, ...failure };
  });
}

async function isEmpty(git: Git, tree: string): Promise<boolean> {
  const end = await git.run(["ls-tree", tree]);
  return end.ok && end.stdout.length === 0;
}
