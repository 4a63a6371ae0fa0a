/** The git tools of one gate. */
import { createPathLocks, type PathLocks } from "../../../safe/files/path-locks.ts";
import type { ToolSet } from "../define-builtin.ts";
import { createCheckpoint } from "./checkpoint.ts";
import { type CommitOptions, createCommit } from "./commit.ts";
import { diff } from "./diff.ts";
import { diffSummary } from "./diff-summary.ts";
import { log } from "./log.ts";
import { makePrivateFolder, removePrivateFolder } from "./private-folder.ts";
import { status } from "./status.ts";

/** `close` removes the files that made later checkpoints fast. */
export interface GitTools extends ToolSet, AsyncDisposable {}

export interface GitOptions extends CommitOptions {
  /** One call at a time changes a repository, in whichever session. Default: locks of these tools alone. */
  readonly locks?: PathLocks;
}

export function createGitTools({ locks = createPathLocks(), ...options }: GitOptions = {}): GitTools {
  let folder: Promise<string> | undefined;
  const privateFolder = () => {
    folder ??= makePrivateFolder();
    return folder;
  };
  const close = async () => {
    const made = folder;
    folder = undefined;
    if (made !== undefined) await removePrivateFolder(await made);
  };
  return {
    tools: [
      status,
      diffSummary,
      diff,
      log,
      createCommit(locks, options),
      createCheckpoint(locks, privateFolder),
    ],
    close,
    [Symbol.asyncDispose]: close,
  };
}
