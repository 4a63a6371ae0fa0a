/** Brings the files of a checkpoint back, after what is there now has been saved. */
import type { Failed, Failure } from "../../../../core/call/tool-answer.ts";
import { couldBeMade, filesOnDisk, namesIn, toInput } from "../files-on-disk.ts";
import { type Git, maxListBytes } from "../open-git.ts";
import { findCheckpoint, makeCommit, recordCheckpoint } from "./refs.ts";
import type { Shadow } from "./shadow.ts";
import { takeSnapshot } from "./snapshot.ts";
import { entriesOf, writeEntries } from "./target-tree.ts";

export interface Restored {
  readonly ok: true;
  readonly written: number;
  readonly deleted: number;
  /** The checkpoint of what was there before; undefined when nothing had to be changed. */
  readonly before: string | undefined;
}

export async function restoreCheckpoint(git: Git, shadow: Shadow, id: string): Promise<Restored | Failed> {
  const found = await findCheckpoint(git, id);
  if (!found.ok) return found;
  const entries = await entriesOf(git, shadow, found.id);
  if ("message" in entries) return { ok: false, ...entries };
  // A file that is ignored by now would be written over all the same: it belongs to what is saved before.
  const names = entries.map(({ name }) => name);
  const { present } = await filesOnDisk(git.repository.top, names);
  const now = await takeSnapshot(git, shadow, present);
  if ("message" in now) return { ok: false, ...now };
  const target = await writeEntries(shadow, entries);
  if (!target.ok) return target;
  if (target.id === now.tree) return { ok: true, written: 0, deleted: 0, before: undefined };
  const changes = await changesBetween(shadow, now.tree, target.id);
  if ("message" in changes) return { ok: false, ...changes };
  const saved = await recordCheckpoint(git, shadow, now.tree, `before restoring ${id}`);
  if (!saved.ok) return saved;
  const goal = await makeCommit(shadow, target.id, id);
  if (!goal.ok) return goal;
  const done = await shadow.switchFiles(saved.commit, goal.id);
  if (!done.ok) {
    const message = `Not restored: ${done.message}\nWhat is there now is saved as checkpoint ${saved.id}. Move away what is in the way, then try again.`;
    return { ok: false, code: "in_the_way", message };
  }
  const kept = await bringBackIgnored(git, shadow, now.tree, changes.deleted);
  if (typeof kept !== "number") return { ok: false, ...kept };
  return { ok: true, written: changes.written, deleted: changes.deleted.length - kept, before: saved.id };
}

async function changesBetween(
  shadow: Shadow,
  from: string,
  to: string,
): Promise<{ readonly written: number; readonly deleted: readonly string[] } | Failure> {
  const what = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to];
  const printed = await shadow.run(what, { maxBytes: maxListBytes });
  if (!printed.ok) return printed;
  const fields = namesIn(printed.stdout);
  const deleted = fields.filter((_, at) => at % 2 === 1 && fields[at - 1] === "D");
  return { written: fields.length / 2 - deleted.length, deleted };
}

/** What the restored .gitignore files ignore was not saved then, though it may have been there: it stays. */
async function bringBackIgnored(
  git: Git,
  shadow: Shadow,
  tree: string,
  deleted: readonly string[],
): Promise<number | Failure> {
  const candidates = deleted.filter((name) => couldBeMade(git.repository.top, name));
  if (candidates.length === 0) return 0;
  const question = { input: toInput(candidates), maxBytes: maxListBytes };
  const ignored = await git.run(["check-ignore", "-z", "--stdin", "--no-index"], question);
  // 1: none of them.
  if (!ignored.ok) return ignored.exitCode === 1 ? 0 : ignored;
  const names = new Set(namesIn(ignored.stdout));
  const entries = await entriesOf(git, shadow, tree);
  if ("message" in entries) return entries;
  const wanted = await writeEntries(
    shadow,
    entries.filter(({ name }) => names.has(name)),
  );
  if (!wanted.ok) return wanted;
  const out = await shadow.run(["checkout-index", "--all"], { index: "index-of-target" });
  return out.ok ? names.size : out;
}
