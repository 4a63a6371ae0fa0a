/** Files of the journal folder: whose they are, how much is in the ledger, when one may be removed. */
import { chmodSync, rmSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { listOwnFolder } from "../../ledger/spool/own-folder.ts";
import type { StoreContext } from "../area.ts";
import { statements } from "../ledger/statements.ts";
import { journalFolder } from "./journal.ts";

/** `jsonl`: from before lines had sums. */
const journalFile = /^([\w-]+)\.(\d+)\.(?:lines|jsonl)$/;

/** Its lines may have no sums. */
export function isOldJournal(name: string): boolean {
  return name.endsWith(".jsonl");
}

export interface JournalFile {
  /** The process that wrote it. */
  readonly id: string;
  readonly name: string;
}

/** The parts of each process in their order. */
export function listJournals(store: StoreContext): JournalFile[] {
  return listOwnFolder(journalFolder(store.stateFolder))
    .flatMap((name) => {
      const [, id, part] = journalFile.exec(name) ?? [];
      return id === undefined ? [] : [{ id, name, part: Number(part) }];
    })
    .sort((one, other) => one.part - other.part);
}

export function journalPath(store: StoreContext, name: string): string {
  return join(journalFolder(store.stateFolder), name);
}

/** In bytes, from the start of the file. */
export function takenOf(store: StoreContext, name: string): number {
  return Number(store.get(statements.spoolFile, `journal/${name}`)?.taken_bytes ?? 0);
}

export function moveTaken(store: StoreContext, name: string, bytes: number): void {
  store.run(statements.moveSpool, `journal/${name}`, "", bytes);
}

/** Undefined: gone, or not to be looked at. */
export function statOf(store: StoreContext, name: string): Stats | undefined {
  try {
    return statSync(journalPath(store, name), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Says that its writer is done, although its process lives. A mode can be set also on a full disk. */
export function seal(store: StoreContext, name: string): void {
  chmodSync(journalPath(store, name), 0o400);
}

export function isSealed(stat: Stats | undefined): boolean {
  return stat !== undefined && (stat.mode & 0o200) === 0;
}

const keptMs = 2 * 86_400_000;

/** Removes what the dead left, once it is in the ledger and old: a process that slept may still write. */
export function sweepJournals(store: StoreContext): void {
  const files = listJournals(store);
  forgetRemoved(store, files);
  const registered = new Set(store.all("SELECT id FROM processes").map(({ id }) => id));
  for (const { id, name } of files) {
    if (registered.has(id)) continue;
    const stat = statOf(store, name);
    if (stat !== undefined && stat.size === takenOf(store, name) && store.now() - stat.mtimeMs > keptMs)
      removeLater(store, name);
  }
}

/** Names are never used again. */
function forgetRemoved(store: StoreContext, files: readonly JournalFile[]): void {
  const there = new Set(files.map(({ name }) => `journal/${name}`));
  for (const { name } of store.all(statements.journals))
    if (typeof name === "string" && !there.has(name)) store.run(statements.forgetSpool, name);
}

const removedKey = "ledger.removed-journals";
const removableKey = "ledger.removable-journals";

/** After the commit. Until the file is gone its position stays known, so that nothing is taken twice. */
export function removeLater(store: StoreContext, name: string): void {
  const names = (store.memo.get(removedKey) as readonly string[] | undefined) ?? [];
  if (!names.includes(name)) store.memo.set(removedKey, [...names, name]);
}

export function noteRemoved(store: StoreContext): void {
  const names = store.memo.get(removedKey) as string[] | undefined;
  if (names !== undefined) store.kept.set(removableKey, [...removable(store), ...names]);
}

/** After the commit: what is in the ledger is no longer needed here. */
export function removeJournals(store: StoreContext): void {
  const names = removable(store);
  if (names.length === 0) return;
  store.kept.set(removableKey, []);
  for (const name of names) rmSync(journalPath(store, name), { force: true });
}

function removable(store: StoreContext): readonly string[] {
  return (store.kept.get(removableKey) as readonly string[] | undefined) ?? [];
}
