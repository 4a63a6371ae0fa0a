/** Adds rows to the chain, inside the group's transaction. The head is read once and written once per transaction. */
import type { SQLInputValue } from "node:sqlite";
import type { JsonObject } from "../../../core/json.ts";
import type { LedgerKind } from "../../../core/ledger-reader.ts";
import { nextHash } from "../../ledger/chain.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import type { StoreContext } from "../area.ts";
import { ledgerState } from "./state.ts";
import { statements } from "./statements.ts";

export interface Head {
  readonly ledgerId: string;
  readonly seq: number;
  readonly hash: string;
  /** When the last row was written; never falls. */
  readonly recordedAt: number;
  readonly cutSeq: number;
  readonly cutHash: string;
  readonly checkpointSeq: number;
  readonly checkpointAt: number;
}

/** Several rows in one statement: starting a statement costs as much as writing the row. */
const rowsAtOnce = 8;
const columns = 13;
const appendMany = statements.append.replace(/\(\?[^)]*\)$/, (row) => Array(rowsAtOnce).fill(row).join(", "));

const waitingKey = "ledger.waiting";
const headKey = "ledger.head";
const movedKey = "ledger.moved";

/** Facts of any shape, as a row of this kind. */
export function append(store: StoreContext, kind: LedgerKind, facts: JsonObject): void {
  const { at } = facts;
  const recordedAt = nextTime(store, at);
  appendRow(store, ledgerState(store).makeRow.any(kind, { ...facts, recordedAt }));
}

/** Returns the row's number. */
export function appendRow(store: StoreContext, { body, fields }: LedgerRow): number {
  const head = readHead(store);
  const seq = head.seq + 1;
  const hash = nextHash(head.hash, seq, body);
  const { kind, at, recordedAt, callId, tool, caller, sessionId, verdict, code, durationMs } = fields;
  const waiting = (store.memo.get(waitingKey) as SQLInputValue[] | undefined) ?? [];
  waiting.push(
    seq,
    hash,
    body,
    kind,
    at,
    recordedAt,
    callId,
    tool,
    caller,
    sessionId,
    verdict,
    code,
    durationMs,
  );
  store.memo.set(waitingKey, waiting);
  if (waiting.length === rowsAtOnce * columns) {
    store.statement(appendMany).run(...waiting);
    waiting.length = 0;
  }
  store.memo.set(headKey, { ...head, seq, hash, recordedAt });
  store.memo.set(movedKey, true);
  return seq;
}

/** When the next row is written: not before the last one, and not before what it tells, whatever the clocks say. */
export function nextTime(store: StoreContext, at: unknown): number {
  const earliest = Math.max(readHead(store).recordedAt, store.now());
  return typeof at === "number" && at > earliest && at < latestTime ? Math.trunc(at) : earliest;
}

/** A time beyond it is no time; believed, it would be the time of all rows to come. */
const latestTime = 8_640_000_000_000_000;

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
    recordedAt: Number(row.recorded_at),
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

/** Before this transaction looks at the rows themselves. */
export function writeRows(store: StoreContext): void {
  const waiting = (store.memo.get(waitingKey) as SQLInputValue[] | undefined) ?? [];
  for (let at = 0; at < waiting.length; at += columns)
    store.statement(statements.append).run(...waiting.slice(at, at + columns));
  store.memo.delete(waitingKey);
}

export function writeHead(store: StoreContext): void {
  writeRows(store);
  if (store.memo.get(movedKey) !== true) return;
  const { seq, hash, recordedAt } = readHead(store);
  store.statement(statements.moveHead).run(seq, hash, recordedAt);
  store.ring("ledger");
}
