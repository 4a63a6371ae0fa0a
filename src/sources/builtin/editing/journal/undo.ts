/** Puts the files of a journal back. Safe to repeat; what somebody else changed meanwhile stays. */
import { dirname, join } from "node:path";
import { type InsideRoot, temporaryFileName } from "../../../../safe/files/inside-root/inside-root.ts";
import { hashOf, type JournalFile, type JournalRecord } from "./record.ts";

export interface Undone {
  /** Files that are neither as before nor as the change made them, or that could not be put back. */
  readonly left: readonly string[];
}

export async function undo(files: InsideRoot, record: JournalRecord): Promise<Undone> {
  await removeTemporaries(files, record);
  const left: string[] = [];
  for (const [index, file] of record.files.entries()) {
    const state = await stateOf(files, file);
    if (state === "before") continue;
    if (state === "other" || !(await putBack(files, record, file, index))) left.push(file.absolute);
  }
  // Only those that are empty again. The slash says that a file somebody put there is not meant.
  for (const directory of record.newDirectories.toReversed()) await files.remove(`${directory}/`);
  return { left };
}

/** Did the change reach its end? True when no file is as it was before. */
export async function isComplete(files: InsideRoot, record: JournalRecord): Promise<boolean> {
  await removeTemporaries(files, record);
  for (const file of record.files) if ((await stateOf(files, file)) === "before") return false;
  return true;
}

export function temporaryNameOf(record: Pick<JournalRecord, "id">, index: number): string {
  return `${record.id}-${index}`;
}

/** A crash may leave a file half written, or one with two names, which nothing else would touch. */
async function removeTemporaries(files: InsideRoot, record: JournalRecord): Promise<void> {
  for (const [index, { absolute }] of record.files.entries())
    await files.remove(temporaryOf(record, absolute, index));
}

export function temporaryOf(record: Pick<JournalRecord, "id">, absolute: string, index: number): string {
  return join(dirname(absolute), temporaryFileName(temporaryNameOf(record, index)));
}

async function stateOf(files: InsideRoot, file: JournalFile): Promise<"before" | "after" | "other"> {
  const facts = await files.stat(file.absolute, { hash: true });
  if (!facts.ok && facts.code !== "not_found") return "other";
  const now = facts.ok ? facts.hash : undefined;
  if (now === (file.before && hashOf(file.before.bytes))) return "before";
  return now === file.afterHash ? "after" : "other";
}

async function putBack(
  files: InsideRoot,
  record: JournalRecord,
  { absolute, before, afterHash }: JournalFile,
  index: number,
): Promise<boolean> {
  if (before === undefined) return (await files.remove(absolute)).ok;
  const written = await files.write(absolute, before.bytes, {
    expectedHash: afterHash ?? null,
    mode: before.mode,
    makeParents: true,
    temporaryName: temporaryNameOf(record, index),
  });
  return written.ok;
}
