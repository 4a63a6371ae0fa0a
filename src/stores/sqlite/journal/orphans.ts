/**
 * Journals that nobody writes to any more. One is an orphan until its last line is in the chain, whatever
 * became of the registration of its process: any process takes it, and whoever verifies hears of those that
 * could not be taken.
 */
import type { StoreContext } from "../area.ts";
import { markUnknown } from "../ledger/open-calls.ts";
import { forgetProcesses } from "../processes/processes-area.ts";
import { isSealed, listJournals, seal, statOf, takenOf } from "./journal-files.ts";
import { takeAll, UnreadableJournal } from "./take-journal.ts";
import { listUntakenSpool } from "./take-spool.ts";

/** Journals of the dead, of the unregistered and of those who closed. Returns whose could not be taken. */
export function takeOrphans(store: StoreContext, deadIds: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const why = new Map<string, string>();
  for (const id of new Set([...deadIds, ...ownerless(store, deadIds)])) {
    try {
      takeAll(store, id);
    } catch (error) {
      if (!(error instanceof UnreadableJournal)) throw error;
      kept.push(id);
      why.set(error.journal, error.message);
      continue;
    }
    markUnknown(store, [id], "Its process died after it had started and before its end was recorded.");
    if (!deadIds.includes(id)) forgetProcesses(store, [id]);
  }
  store.kept.set(whyKey, why);
  return kept;
}

const whyKey = "ledger.untaken-why";

function ownerless(store: StoreContext, deadIds: readonly string[]): string[] {
  const files = listJournals(store);
  if (files.length === 0) return [];
  const writers = registered(store);
  for (const id of deadIds) writers.delete(id);
  const isLeft = ({ id, name }: { readonly id: string; readonly name: string }) => {
    if (id === store.processId) return false;
    const stat = statOf(store, name);
    if (writers.has(id)) return isSealed(stat);
    return stat?.size !== takenOf(store, name);
  };
  return [...new Set(files.filter(isLeft).map(({ id }) => id))];
}

function registered(store: StoreContext): Set<string> {
  return new Set(store.all("SELECT id FROM processes").map(({ id }) => String(id)));
}

export interface UntakenFile {
  /** In the state folder. */
  readonly name: string;
  /** Undefined: nobody knows. */
  readonly bytes: number | undefined;
  /** Its process lives, and takes it in a moment. */
  readonly isOwned: boolean;
  /** Why the last try failed. */
  readonly why: string | undefined;
}

export function listUntaken(store: StoreContext): UntakenFile[] {
  const writers = registered(store);
  const why = store.kept.get(whyKey) as ReadonlyMap<string, string> | undefined;
  const journals = listJournals(store).flatMap(({ id, name }) => {
    const stat = statOf(store, name);
    const bytes = (stat?.size ?? 0) - takenOf(store, name);
    const isOwned = writers.has(id) && !isSealed(stat);
    return bytes === 0 ? [] : [{ name: `journal/${name}`, bytes, isOwned, why: why?.get(name) }];
  });
  const spool = listUntakenSpool(store).map((file) => ({ ...file, bytes: undefined, isOwned: false }));
  return [...journals, ...spool];
}

/** This process closes its store and could not take its own: makes it an orphan. Says so. */
export function leaveJournal(store: StoreContext): string | undefined {
  const left = listJournals(store).filter(
    ({ id, name }) => id === store.processId && statOf(store, name)?.size !== takenOf(store, name),
  );
  for (const { name } of left) seal(store, name);
  if (left.length === 0) return undefined;
  const names = left.map(({ name }) => `journal/${name}`).join(", ");
  return `Records that were acknowledged are still in ${names}; the next toolgate that can write to the store takes them in. Keep that folder.`;
}
