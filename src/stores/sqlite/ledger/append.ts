/** Adds rows to the chain, inside the group's transaction. The head is read once and written once per transaction. */
import type { JsonObject } from "../../../core/json.ts";
import type { LedgerKind } from "../../../core/ledger-reader.ts";
import { nextHash } from "../../ledger/chain.ts";
import type { StoreContext } from "../area.ts";
import { ledgerState } from "./state.ts";
import { statements } from "./statements.ts";

export interface Head {
  readonly ledgerId: string;
  readonly seq: number;
  readonly hash: string;
  readonly cutSeq: number;
  readonly cutHash: string;
  readonly checkpointSeq: number;
  readonly checkpointAt: number;
}

const headKey = "ledger.head";
const movedKey = "ledger.moved";

export interface Appended {
  readonly seq: number;
  readonly inputText: string | undefined;
}

/** `inputText`: the input as an earlier row about the same call has it. */
export function append(
  store: StoreContext,
  kind: LedgerKind,
  facts: JsonObject,
  earlierInput?: string,
): Appended {
  const { body, fields, inputText } = ledgerState(store).makeRow(kind, facts, earlierInput);
  const head = readHead(store);
  const seq = head.seq + 1;
  const hash = nextHash(head.hash, seq, body);
  const { at, callId, tool, caller, sessionId, verdict, code, durationMs } = fields;
  store
    .statement(statements.append)
    .run(seq, hash, body, kind, at, callId, tool, caller, sessionId, verdict, code, durationMs);
  store.memo.set(headKey, { ...head, seq, hash });
  store.memo.set(movedKey, true);
  return { seq, inputText };
}

/** As it is in this transaction, with the rows that it has added. */
export function readHead(store: StoreContext): Head {
  const known = store.memo.get(headKey);
  if (known !== undefined) return known as Head;
  const row = store.statement(statements.head).get();
  if (row === undefined) throw new Error("the ledger has no head: a row of the database was removed");
  const head: Head = {
    ledgerId: String(row.ledger_id),
    seq: Number(row.seq),
    hash: String(row.hash),
    cutSeq: Number(row.cut_seq),
    cutHash: String(row.cut_hash),
    checkpointSeq: Number(row.checkpoint_seq),
    checkpointAt: Number(row.checkpoint_at),
  };
  store.memo.set(headKey, head);
  return head;
}

/** If this transaction has looked at it. */
export function knownHead(store: StoreContext): Head | undefined {
  return store.memo.get(headKey) as Head | undefined;
}

export function replaceHead(store: StoreContext, head: Head): void {
  store.memo.set(headKey, head);
}

export function writeHead(store: StoreContext): void {
  if (store.memo.get(movedKey) !== true) return;
  const { seq, hash } = readHead(store);
  store.statement(statements.moveHead).run(seq, hash);
  store.ring("ledger");
}
