/** Removes old rows from the front of the chain. A signed note says where it was cut, for verification. */
import type { LedgerCut } from "../../../core/ports/ledger-reader.ts";
import { addCheckpoint } from "../../ledger/checkpoints-file.ts";
import type { StoreContext } from "../area.ts";
import { append, readHead, replaceHead, writeRows } from "./append.ts";
import { checkpointBell, syncing } from "./checkpoints.ts";
import { firstSince } from "./find-time.ts";
import { moveMark } from "./open-calls.ts";
import { statements } from "./statements.ts";

/** One transaction; other writers wait meanwhile. */
const rowsAtOnce = 20_000;

/** Call it again until nothing was removed. */
export function removeBefore(store: StoreContext, time: number): LedgerCut {
  if (!Number.isFinite(time)) throw new TypeError("removeBefore takes milliseconds since the epoch");
  writeRows(store);
  moveMark(store);
  const head = readHead(store);
  const seq = lastToRemove(store, time);
  if (seq <= head.cutSeq) return { removed: 0, firstSeq: head.cutSeq + 1 };
  const hash = String(store.get(statements.hashOf, seq)?.hash);
  const at = store.now();
  append(store, "note", {
    at,
    message: `Rows ${head.cutSeq + 1} to ${seq} were removed because they are older than ${new Date(time).toISOString()}.`,
    cutSeq: seq,
    cutHash: hash,
  });
  // Removed means gone, not only unlisted.
  store.database.exec("PRAGMA secure_delete = ON");
  const removed = store.run(statements.removeUpTo, seq);
  store.database.exec("PRAGMA secure_delete = OFF");
  store.run(statements.moveCut, seq, hash);
  replaceHead(store, { ...readHead(store), cutSeq: seq, cutHash: hash });
  // Before the commit: rows that are gone must have their note, while a note too many does no harm.
  const statement = { kind: "cut", ledger: head.ledgerId, seq, hash, at } as const;
  addCheckpoint(store.stateFolder, statement, { ...syncing(store), wasSigned: head.checkpointSeq > 0 });
  store.ring(checkpointBell);
  return { removed, firstSeq: seq + 1 };
}

/** Only what is signed and belongs to no running call. By the time of writing, which is never too early. */
function lastToRemove(store: StoreContext, time: number): number {
  const { cutSeq, checkpointSeq } = readHead(store);
  const firstKept = firstSince(store, time);
  const firstOpen = Number(store.get(statements.firstOpen)?.seq ?? Number.MAX_SAFE_INTEGER);
  return Math.min(firstKept - 1, firstOpen - 1, checkpointSeq, cutSeq + rowsAtOnce);
}
