/** Changes several files, all or none: first a journal that can undo everything, then file after file. */
import { join } from "node:path";
import type { Failed } from "../../../../core/call/tool-answer.ts";
import type { InsideRoot, Refusal } from "../../../../safe/files/inside-root/inside-root.ts";
import { type Journal, newJournalId, openJournal } from "./journal.ts";
import { hashOf, type JournalRecord } from "./record.ts";
import { temporaryNameOf, undo } from "./undo.ts";

export interface FileChange {
  /** As the caller wrote it. */
  readonly path: string;
  /** The real one. */
  readonly absolute: string;
  readonly before: { readonly bytes: Buffer; readonly hash: string; readonly mode: number } | undefined;
  readonly after: Buffer | undefined;
  /** Of a new file. */
  readonly mode?: number;
}

export interface CommitOptions {
  readonly stateFolder: string;
  /** Directories that the change will make, outer ones first. */
  readonly newDirectories: readonly string[];
}

export async function commit(
  files: InsideRoot,
  changes: readonly FileChange[],
  { stateFolder, newDirectories }: CommitOptions,
): Promise<{ readonly ok: true } | Failed> {
  // One order for everybody: of two processes with the same files, the second stops at the first file.
  const ordered = changes.toSorted((left, right) => (left.absolute < right.absolute ? -1 : 1));
  const record: JournalRecord = {
    id: newJournalId(),
    roots: files.roots,
    files: ordered.map(({ absolute, before, after }) => ({
      absolute,
      before: before && { bytes: before.bytes, mode: before.mode },
      afterHash: after && hashOf(after),
    })),
    newDirectories,
  };
  // One file is replaced by one rename; there is nothing to undo but a directory.
  if (ordered.length === 1 && newDirectories.length === 0)
    return (await apply(files, ordered[0]!, undefined)) ?? { ok: true };
  const journal = openJournal(stateFolder, record);
  const held = new Set(journal.heldByOthers());
  const busy = ordered.find(({ absolute }) => held.has(absolute));
  if (busy !== undefined) {
    journal.close();
    const message = `${JSON.stringify(busy.path)} is being changed by another process right now; nothing was changed. Try again in a moment.`;
    return { ok: false, code: "busy", message };
  }
  return applyAll(files, ordered, record, journal);
}

async function applyAll(
  files: InsideRoot,
  changes: readonly FileChange[],
  record: JournalRecord,
  journal: Journal,
): Promise<{ readonly ok: true } | Failed> {
  const applied: FileChange[] = [];
  const takeBack = async () => {
    journal.turnBack();
    const { left } = await undo(files, record);
    journal.close();
    const stuck = applied.filter(({ absolute }) => left.includes(absolute));
    if (stuck.length === 0) return "No file was changed.";
    const named = stuck.map(({ path }) => JSON.stringify(path)).join(", ");
    return `Everything was put back except ${named}, which somebody else changed meanwhile.`;
  };
  try {
    for (const [index, change] of changes.entries()) {
      const refused = await apply(files, change, temporaryNameOf(record, index));
      if (refused !== undefined) return { ...refused, message: `${refused.message} ${await takeBack()}` };
      applied.push(change);
    }
  } catch (error) {
    await takeBack();
    throw error;
  }
  journal.close();
  return { ok: true };
}

async function apply(
  files: InsideRoot,
  { absolute, before, after, mode, path }: FileChange,
  temporaryName: string | undefined,
): Promise<Failed | undefined> {
  if (after === undefined) {
    const facts = await files.stat(absolute, { hash: true });
    if (!facts.ok) return asAsked(facts, path);
    if (facts.hash !== before?.hash) {
      const message = `${JSON.stringify(path)} changed since it was read. Read it again, then repeat the change.`;
      return { ok: false, code: "stale", message };
    }
    const removed = await files.remove(absolute);
    return removed.ok ? undefined : asAsked(removed, path);
  }
  const written = await files.write(absolute, after, {
    expectedHash: before?.hash ?? null,
    makeParents: true,
    ...(temporaryName !== undefined && { temporaryName }),
    ...(mode !== undefined && { mode }),
  });
  return written.ok ? undefined : asAsked(written, path);
}

/** The refusal speaks of the real path; the caller knows the one it wrote. */
function asAsked(refusal: Refusal, path: string): Failed {
  return {
    ...refusal,
    message: refusal.message.replaceAll(JSON.stringify(refusal.path), JSON.stringify(path)),
  };
}

/** The directories above a new file that are missing, outer ones first. */
export function directoriesBetween(existing: string, names: readonly string[]): readonly string[] {
  return names.map((_, index) => join(existing, ...names.slice(0, index + 1)));
}
