/** git.checkpoint: saves the work tree and brings it back. The person's index, branches and stash stay. */
import { join } from "node:path";
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, type Failure, failed } from "../../../core/call/tool-answer.ts";
import { fingerprint } from "../../../core/input/fingerprint.ts";
import type { PathLocks } from "../../../safe/files/path-locks.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, wholeNumber } from "../input-fields.ts";
import { deleteCheckpoint, idPattern, listCheckpoints, recordCheckpoint } from "./checkpoint/refs.ts";
import { restoreCheckpoint } from "./checkpoint/restore.ts";
import { openShadow, type Shadow } from "./checkpoint/shadow.ts";
import { maxFileBytes, takeSnapshot } from "./checkpoint/snapshot.ts";
import { shownNames } from "./files-on-disk.ts";
import type { Git } from "./open-git.ts";
import { openGitAt } from "./place.ts";

/** `folder`: a private one, made at the first need, that lives as long as the tools. */
export function createCheckpoint(locks: PathLocks, folder: () => Promise<string>) {
  return defineBuiltin("git.checkpoint", {
    title: "Checkpoint",
    description:
      "Saves all files of the work tree that are not ignored, tracked or not (action: save), lists what is saved (list), brings a saved state back exactly, " +
      "also deleting files made since (restore; saves the present state first), or forgets one (delete). Index, branches, HEAD and stash stay as they are.",
    input: closed(["action"], {
      action: { type: "string", enum: ["save", "restore", "list", "delete"] },
      id: { type: "string", pattern: idPattern, description: "Which checkpoint, for restore and delete." },
      label: { type: "string", maxLength: 200, description: "What it is, in a few words, for save." },
      limit: wholeNumber(1, 1_000, "How many to list. Default 50."),
    }),
    synonyms: { label: ["message", "name", "description"], id: ["checkpoint", "checkpoint_id"] },
    timeoutMs: 600_000,
    validate: ({ action, id }) => {
      const needsId = action === "restore" || action === "delete";
      if (needsId && id === undefined)
        return `${action} needs the id of a checkpoint; action: list shows them.`;
      return !needsId && id !== undefined ? `${action} takes no id.` : undefined;
    },
    run: async ({ action, id = "", label = "", limit = 50 }, context) => {
      const git = await openGitAt(undefined, context);
      if ("message" in git) return failed(git);
      if (action === "list") return list(git, limit);
      if (action === "delete") {
        const gone = await deleteCheckpoint(git, id);
        return gone.ok ? `Checkpoint ${id} is deleted.` : failed(gone);
      }
      // One for each work tree and part of it: its index remembers the files of that.
      const name = fingerprint([git.repository.top, git.repository.gitDir, ...git.repository.within]).slice(
        0,
        16,
      );
      return locks.holding([git.repository.commonDir], context.signal, async () => {
        const shadow = await openShadow(git, join(await folder(), name));
        if ("message" in shadow) return failed(shadow);
        return action === "save" ? save(git, shadow, label) : restore(git, shadow, id);
      });
    },
  });
}

async function save(git: Git, shadow: Shadow, label: string): Promise<ToolResult> {
  const snapshot = await takeSnapshot(git, shadow);
  if ("message" in snapshot) return failed(snapshot);
  const saved = await recordCheckpoint(git, shadow, snapshot.tree, label);
  if (!saved.ok) return failed(saved);
  const { files, folders, tooLarge } = snapshot;
  const notes = [`Saved ${files} file${files === 1 ? "" : "s"} as checkpoint ${saved.id}.`];
  if (folders.length > 0)
    notes.push(`[Not in it, because repositories of their own: ${shownNames(folders)}.]`);
  if (tooLarge.length > 0)
    notes.push(
      `[Not in it, because larger than ${maxFileBytes / 1024 / 1024} MiB: ${shownNames(tooLarge)}.]`,
    );
  return answered(notes.join("\n"), { id: saved.id, files });
}

async function restore(git: Git, shadow: Shadow, id: string): Promise<ToolResult> {
  const end = await restoreCheckpoint(git, shadow, id);
  if (!end.ok) return failed(end);
  const { written, deleted, before } = end;
  if (before === undefined)
    return answered(`Nothing differs from checkpoint ${id}.`, { id, written, deleted });
  const text = `Restored checkpoint ${id}: ${written} written, ${deleted} deleted. What was there before is checkpoint ${before}.`;
  return answered(text, { id, written, deleted, before });
}

async function list(git: Git, limit: number): Promise<ToolResult> {
  const found: readonly object[] | Failure = await listCheckpoints(git, limit);
  if ("message" in found) return failed(found);
  const lines = found.map((one) => Object.values(one).join("  "));
  return answered(lines.join("\n") || "There are no checkpoints.", { checkpoints: found });
}
