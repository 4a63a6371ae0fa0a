/** Every start first undoes the changes of several files that a crash cut short: all of it or nothing. */
import { messageOf } from "../../../../core/call/errors.ts";
import { createInsideRoot } from "../../../../safe/files/inside-root/inside-root.ts";
import { claimJournal, dropJournal, type JournalEntry, listJournals, readEntry } from "./journal.ts";
import { decodeRecord, type JournalRecord } from "./record.ts";
import { isComplete, temporaryOf, undo } from "./undo.ts";

export interface Recovery {
  readonly id: string;
  /** `complete`: it had reached its end. `postponed`: it will be tried again at the next start. */
  readonly outcome: "undone" | "complete" | "never-began" | "postponed";
  readonly files: readonly string[];
  /** Files that somebody else changed since; they were left alone. */
  readonly left: readonly string[];
  readonly why?: string;
}

/** Only journals of processes that are gone. Several processes may do this: each journal goes to one. */
export async function recoverJournals(stateFolder: string): Promise<readonly Recovery[]> {
  const recovered: Recovery[] = [];
  for (const entry of listJournals(stateFolder)) {
    const claimed = claimJournal(entry);
    if (claimed !== undefined) recovered.push(await recoverOne(claimed, stateFolder));
  }
  return recovered;
}

async function recoverOne(entry: JournalEntry, stateFolder: string): Promise<Recovery> {
  const { id, state } = entry;
  if (state === "writing") {
    dropJournal(entry);
    return { id, outcome: "never-began", files: [], left: [] };
  }
  let record: JournalRecord | undefined;
  try {
    record = readEntry(entry, decodeRecord);
    if (record === undefined) throw new Error("it vanished");
    const files = filesOf(record, stateFolder);
    const paths = record.files.map(({ absolute }) => absolute);
    const complete = state === "active" && (await isComplete(files, record));
    const { left } = complete ? { left: [] } : await undo(files, record);
    dropJournal(entry);
    return { id, outcome: complete ? "complete" : "undone", files: paths, left };
  } catch (error) {
    const files = record?.files.map(({ absolute }) => absolute) ?? [];
    return { id, outcome: "postponed", files, left: files, why: messageOf(error) };
  }
}

/** The roots and the files that the gate had admitted when the change began, and nothing else. */
function filesOf(record: JournalRecord, stateFolder: string) {
  const named = new Set(
    record.files.flatMap(({ absolute }, index) => [absolute, temporaryOf(record, absolute, index)]),
  );
  return createInsideRoot({
    roots: record.roots,
    statePaths: [stateFolder],
    allowProtected: (absolute) => named.has(absolute),
  });
}
