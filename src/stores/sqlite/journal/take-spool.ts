/** Takes the lines of hooks into the ledger, each exactly once: position and rows are in one transaction. */
import { messageOf } from "../../../core/call/errors.ts";
import { listSpool, removeIfTaken, type TakenUpTo, takeSpoolFile } from "../../ledger/spool/spool-files.ts";
import type { StoreContext } from "../area.ts";
import { lineLedger } from "../ledger/append.ts";
import { ledgerState } from "../ledger/state.ts";
import { statements } from "../ledger/statements.ts";

export interface TakenSpool {
  readonly taken: number;
  /** Call again. */
  readonly more: boolean;
}

export function takeSpool(store: StoreContext): TakenSpool {
  if (ledgerState(store).options.leaveSpool === true) return { taken: 0, more: false };
  for (const name of listSpool(store.stateFolder)) {
    const { lines, upTo, problem } = takeSpoolFile(lineLedger(store), name, knownOf(store, name));
    noteProblem(store, name, problem);
    if (upTo === undefined) continue;
    store.run(statements.moveSpool, name, upTo.inode, upTo.bytes);
    return { taken: lines, more: true };
  }
  return { taken: 0, more: false };
}

/** Removes files that are whole in the ledger and that nobody writes to any more. After the commit. */
export function removeTaken(store: StoreContext): void {
  for (const name of listSpool(store.stateFolder))
    removeIfTaken(store.stateFolder, name, { now: store.now(), known: knownOf(store, name) });
}

function knownOf(store: StoreContext, name: string): TakenUpTo | undefined {
  const row = store.get(statements.spoolFile, name);
  return row && { inode: String(row.inode), bytes: Number(row.taken_bytes) };
}

const problemsKey = "ledger.spool-problems";

/** Others are not to wait for a file that cannot be taken; whoever verifies hears of it. */
function noteProblem(store: StoreContext, name: string, problem: unknown): void {
  const problems = new Map(spoolProblems(store)).set(name, messageOf(problem));
  if (problem === undefined) problems.delete(name);
  store.kept.set(problemsKey, problems);
}

function spoolProblems(store: StoreContext): ReadonlyMap<string, string> {
  return (store.kept.get(problemsKey) as ReadonlyMap<string, string> | undefined) ?? new Map();
}

/** Files whose next line could not be taken, and why. */
export function listUntakenSpool(store: StoreContext): { readonly name: string; readonly why: string }[] {
  return [...spoolProblems(store)].map(([name, why]) => ({ name: `spool/${name}`, why }));
}
