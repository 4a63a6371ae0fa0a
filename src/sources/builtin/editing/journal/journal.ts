/** The journal on the disk: one file per change. Its name holds state and owner, so each step is a rename. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { isDead, thisOwner } from "./owner.ts";
import { encodeRecord, type JournalRecord, pathsOfRecord } from "./record.ts";

/** `writing`: nothing was changed yet. `active`: files are being changed. `undo`: they are changed back. */
export type JournalState = "writing" | "active" | "undo";

export interface JournalEntry {
  readonly id: string;
  readonly state: JournalState;
  readonly owner: string;
  readonly path: string;
}

export interface Journal {
  /** Paths that another change, still under way, is about. */
  heldByOthers(): readonly string[];
  turnBack(): void;
  close(): void;
}

export function newJournalId(): string {
  return randomBytes(9).toString("hex");
}

/** Returns when it is on the disk: from here on, a crash can be undone. */
export function openJournal(stateFolder: string, record: JournalRecord): Journal {
  const folder = journalFolder(stateFolder);
  const owner = thisOwner();
  const nameOf = (state: JournalState) => join(folder, `${record.id}.${state}.${owner}`);
  writeDurably(nameOf("writing"), encodeRecord(record));
  let path = nameOf("active");
  renameSync(nameOf("writing"), path);
  syncFolder(folder);
  return {
    heldByOthers: () =>
      listJournals(stateFolder)
        .filter(({ id, state }) => id !== record.id && state !== "writing")
        .flatMap((entry) => readEntry(entry, pathsOfRecord) ?? []),
    turnBack: () => {
      renameSync(path, nameOf("undo"));
      path = nameOf("undo");
      syncFolder(folder);
    },
    close: () => {
      unlinkSync(path);
      // Without this a journal could come back after a power cut, when its files have long changed again.
      syncFolder(folder);
    },
  };
}

export function listJournals(stateFolder: string): readonly JournalEntry[] {
  const folder = join(stateFolder, "journals");
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  journalFolder(stateFolder);
  return readdirSync(folder).flatMap((name) => {
    const [, id, state, owner] = /^([0-9a-f]{18})\.(writing|active|undo)\.([\w-]+)$/.exec(name) ?? [];
    if (id === undefined || owner === undefined) return [];
    return [{ id, state: state as JournalState, owner, path: join(folder, name) }];
  });
}

/** Takes over what a dead process left. Undefined: it lives, or somebody else was faster. */
export function claimJournal(entry: JournalEntry): JournalEntry | undefined {
  try {
    const ageMs = Date.now() - lstatSync(entry.path).mtimeMs;
    if (!isDead(entry.owner, ageMs)) return undefined;
    const owner = thisOwner();
    const path = entry.path.slice(0, -entry.owner.length) + owner;
    renameSync(entry.path, path);
    return { ...entry, owner, path };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function readEntry<Value>(entry: JournalEntry, decode: (bytes: Buffer) => Value): Value | undefined {
  try {
    return decode(readFileSync(entry.path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function dropJournal(entry: JournalEntry): void {
  unlinkSync(entry.path);
  syncFolder(join(entry.path, ".."));
}

/** Old contents of files lie here: nobody else may look, and nobody else may have put anything here. */
export function journalFolder(stateFolder: string): string {
  if (!isAbsolute(stateFolder)) throw new TypeError("the state folder must be an absolute path");
  const folder = join(stateFolder, "journals");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a directory`);
  if (process.platform === "win32") return folder;
  if (stats.uid !== process.getuid?.()) throw new Error(`${folder} belongs to another user`);
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}

function writeDurably(path: string, bytes: Buffer): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } catch (error) {
    // Some file systems cannot sync a directory.
    if (!["EINVAL", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    closeSync(fd);
  }
}
