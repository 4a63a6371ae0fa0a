/** The git tools of one gate. */
import type { AnyTool } from "../../../core/tool.ts";
import { createCheckpoint } from "./checkpoint.ts";
import { type CommitOptions, createCommit } from "./commit.ts";
import { diff } from "./diff.ts";
import { diffSummary } from "./diff-summary.ts";
import { log } from "./log.ts";
import { makePrivateFolder, removePrivateFolder } from "./private-folder.ts";
import { status } from "./status.ts";

export interface GitTools {
  readonly tools: readonly AnyTool[];
  /** Removes the files that made later checkpoints fast. Whoever made the tools calls it after `gate.close()`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function createGitTools(options: CommitOptions = {}): GitTools {
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
    tools: [status, diffSummary, diff, log, createCommit(options), createCheckpoint(privateFolder)],
    close,
    [Symbol.asyncDispose]: close,
  };
}
