/** Signs the head of the ledger from time to time: what is there cannot be changed later without the key. */

import { addCheckpoint, type SigningOptions } from "../../ledger/checkpoints-file.ts";
import type { StoreContext } from "../area.ts";
import { readHead, replaceHead } from "./append.ts";
import { ledgerState } from "./state.ts";
import { statements } from "./statements.ts";

/** Rung whenever something was signed. */
export const checkpointBell = "checkpoint";

/** In a transaction that adds no rows: what is signed must be committed. */
export function signHead(store: StoreContext): void {
  const head = readHead(store);
  const { ledgerId, seq, hash, checkpointSeq } = head;
  if (seq === checkpointSeq) return;
  const at = store.now();
  const statement = { kind: "checkpoint", ledger: ledgerId, seq, hash, at } as const;
  addCheckpoint(store.stateFolder, statement, { ...syncing(store), wasSigned: checkpointSeq > 0 });
  store.run(statements.moveCheckpoint, seq, at);
  store.ring(checkpointBell);
  replaceHead(store, { ...head, checkpointSeq: seq, checkpointAt: at });
}

export function syncing(store: StoreContext): Pick<SigningOptions, "sync" | "checkPlace"> {
  const sync = ledgerState(store).options.syncCheckpoints === true;
  return { sync, checkPlace: () => store.checkPlace() };
}
