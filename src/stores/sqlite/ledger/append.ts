/** Adds rows to the chain, in the group's transaction. The head is read and written once per transaction. */
import type { SQLInputValue } from "node:sqlite";
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerKind } from "../../../core/ports/ledger-reader.ts";
import { hashOfLink, linkText } from "../../ledger/chain.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import type { LineLedger } from "../../ledger/spool/take-lines.ts";
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
const rowsAtOnce = 16;
const columns = 13;
const appendMany = statements.append.replace(/\(\?[^)]*\)$/, (row) => Array(rowsAtOnce).fill(row).join(", "));

const tailKey = "ledger.tail";

/** The end of the chain in this transaction, and rows that are not written yet. Changed in place. */
interface Tail {
  head: Head;
  seq: number;
  hash: string;
  recordedAt: number;
  moved: boolean;
  readonly waiting: SQLInputValue[];
  /** How many values wait. */
  filled: number;
}

/** Facts of any shape, as a row of this kind. */
export function append(store: StoreContext, kind: LedgerKind, facts: JsonObject): void {
  const { at } = facts;
  const recordedAt = nextTime(store, at);
  appendRow(store, ledgerState(store).makeRow.any(kind, { ...facts, recordedAt }));
}

/** For lines of files, which know no transaction. */
export function lineLedger(store: StoreContext): LineLedger {
  return {
    stateFolder: store.stateFolder,
    now: () => store.now(),
    append: (kind, facts) => append(store, kind, facts),
  };
}

/** Returns the row's number. */
export function appendRow(store: StoreContext, { body, fields }: LedgerRow): number {
  const tail = tailOf(store);
  const { waiting } = tail;
  const { recordedAt } = fields;
  tail.seq += 1;
  const link = linkText(tail.hash, tail.seq, body);
  // A slice makes one piece of a text that was put together: hash and database read it faster.
  const piece = link.slice(link.length - body.length);
  tail.hash = hashOfLink(link);
  tail.recordedAt = recordedAt;
  tail.moved = true;
  let at = tail.filled;
  waiting[at++] = tail.seq;
  waiting[at++] = tail.hash;
  waiting[at++] = piece;
  waiting[at++] = fields.kind;
  waiting[at++] = fields.at;
  waiting[at++] = recordedAt;
  waiting[at++] = fields.callId;
  waiting[at++] = fields.tool;
  waiting[at++] = fields.caller;
  waiting[at++] = fields.sessionId;
  waiting[at++] = fields.verdict;
  waiting[at++] = fields.code;
  waiting[at++] = fields.durationMs;
  if (at === rowsAtOnce * columns) {
    store.statement(appendMany).run(...waiting);
    at = 0;
  }
  tail.filled = at;
  return tail.seq;
}

/** When the next row is written: not before the last row, and not before what it tells, by any clock. */
export function nextTime(store: StoreContext, at: unknown): number {
  const earliest = Math.max(tailOf(store).recordedAt, store.now());
  return typeof at === "number" && at > earliest && at < latestTime ? Math.trunc(at) : earliest;
}

/** A time beyond it is no time; believed, it would be the time of all rows to come. */
const latestTime = 8_640_000_000_000_000;

/** As it is in this transaction, with the rows that it has added. */
export function readHead(store: StoreContext): Head {
  const { head, seq, hash, recordedAt } = tailOf(store);
  return { ...head, seq, hash, recordedAt };
}

function tailOf(store: StoreContext): Tail {
  const known = store.cached.get(tailKey) as Tail | undefined;
  if (known !== undefined) return known;
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
  const { seq, hash, recordedAt } = head;
  const tail: Tail = { head, seq, hash, recordedAt, moved: false, waiting: [], filled: 0 };
  store.cached.set(tailKey, tail);
  return tail;
}

/** If this transaction has looked at it. */
export function knownHead(store: StoreContext): Head | undefined {
  return store.cached.has(tailKey) ? readHead(store) : undefined;
}

/** What a statement has changed in the database, besides the rows. */
export function replaceHead(store: StoreContext, head: Head): void {
  tailOf(store).head = head;
}

/** Before this transaction looks at the rows themselves. */
export function writeRows(store: StoreContext): void {
  const tail = store.cached.get(tailKey) as Tail | undefined;
  if (tail === undefined) return;
  for (let at = 0; at < tail.filled; at += columns)
    store.statement(statements.append).run(...tail.waiting.slice(at, at + columns));
  tail.filled = 0;
}

export function writeHead(store: StoreContext): void {
  writeRows(store);
  const tail = store.cached.get(tailKey) as Tail | undefined;
  if (tail?.moved !== true) return;
  store.statement(statements.moveHead).run(tail.seq, tail.hash, tail.recordedAt);
  tail.moved = false;
  store.ring("ledger");
}
