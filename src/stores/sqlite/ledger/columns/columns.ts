/**
 * A few facts of each record in memory, column by column, for counting: a chart over a million records would read a
 * gigabyte of bodies each time. Filled when somebody first looks, newest records first, and let go of when nobody
 * looks any more. No index is written for it, so recording a call costs nothing more.
 */
import type { SQLOutputValue } from "node:sqlite";
import type { StoreContext } from "../../area.ts";
import { readHead } from "../append.ts";
import { Names, RuleNames } from "./names.ts";

/** About 35 bytes each. Older records are not counted. */
export const mostRows = 3_000_000;
const chunkBits = 16;
const chunkRows = 1 << chunkBits;
/** Read in one go; others get their turn before the next go: a list that somebody waits for takes several turns. */
const rowsAtOnce = 1_000;
/** So many new records are read for a search, which would have to look at them anyway. */
const newRows = 4_000;

export const verdicts = ["allow", "ask", "deny", "abstain"] as const;
export const kinds = ["completion", "unknown", "intent", "end", "note"] as const;

/** Facts of 65,536 records in a row. */
export class Chunk {
  readonly at = new Float64Array(chunkRows);
  readonly durationMs = new Float32Array(chunkRows);
  readonly tool = new Uint32Array(chunkRows);
  readonly caller = new Uint32Array(chunkRows);
  readonly session = new Uint32Array(chunkRows);
  readonly rule = new Uint32Array(chunkRows);
  readonly code = new Uint16Array(chunkRows);
  readonly kind = new Uint8Array(chunkRows);
  /** Its place in `verdicts`, from 1; 0: none. */
  readonly verdict = new Uint8Array(chunkRows);
  /** 1: a person was asked. */
  readonly asked = new Uint8Array(chunkRows);
}

export class Columns {
  readonly tools = new Names();
  readonly callers = new Names();
  readonly sessions = new Names();
  readonly codes = new Names();
  readonly rules = new RuleNames();
  readonly #chunks = new Map<number, Chunk>();
  /** What is filled, without a gap: from `first` to before `end`. */
  first = 0;
  end = 0;
  lastUsed = 0;

  chunkOf(seq: number): Chunk {
    const number = seq >>> chunkBits;
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = new Chunk();
      this.#chunks.set(number, chunk);
    }
    return chunk;
  }

  /** Let go of what retention has removed. */
  cutBefore(seq: number): void {
    if (seq <= this.first) return;
    this.first = Math.min(seq, this.end);
    for (const number of this.#chunks.keys())
      if ((number + 1) * chunkRows <= this.first) this.#chunks.delete(number);
  }

  /** As `facts` orders them. */
  take(row: readonly SQLOutputValue[]): void {
    const [number, time, kind, tool, caller, session, verdict, code, durationMs, rule, asked] = row;
    const seq = Number(number);
    const chunk = this.chunkOf(seq);
    const at = placeOf(seq);
    chunk.at[at] = Number(time);
    chunk.durationMs[at] = durationMs === null ? Number.NaN : Number(durationMs);
    chunk.tool[at] = this.tools.idOf(tool);
    chunk.caller[at] = this.callers.idOf(caller);
    chunk.session[at] = this.sessions.idOf(session);
    chunk.rule[at] = this.rules.idOf(rule);
    chunk.code[at] = this.codes.idOf(code);
    chunk.kind[at] = kinds.indexOf(String(kind) as (typeof kinds)[number]);
    chunk.verdict[at] = verdicts.indexOf(String(verdict) as (typeof verdicts)[number]) + 1;
    chunk.asked[at] = asked === null ? 0 : 1;
  }
}

export function placeOf(seq: number): number {
  return seq & (chunkRows - 1);
}

const columnsKey = "ledger.columns";

export function columnsOf(store: StoreContext): Columns {
  let columns = store.kept.get(columnsKey) as Columns | undefined;
  if (columns === undefined) {
    columns = new Columns();
    store.kept.set(columnsKey, columns);
  }
  columns.lastUsed = store.now();
  return columns;
}

const idleMs = 10 * 60_000;

/** Nobody has looked for a while. */
export function dropIdleColumns(store: StoreContext): void {
  const columns = store.kept.get(columnsKey) as Columns | undefined;
  if (columns !== undefined && store.now() - columns.lastUsed > idleMs) store.kept.delete(columnsKey);
}

/** Undefined: nobody has looked, or not at all of these records. */
export function columnsFor(store: StoreContext, from: number, to: number): Columns | undefined {
  const columns = store.kept.get(columnsKey) as Columns | undefined;
  if (columns === undefined || columns.first > from) return undefined;
  // What was recorded since the last look.
  const isNear = columns.end <= to && to - columns.end < newRows;
  if (isNear) {
    readRows(store, columns, columns.end, to);
    columns.end = to + 1;
  }
  return columns.end > to ? columns : undefined;
}

export interface Gathered {
  /** Everything from `from` on is there; false: ask again. */
  readonly done: boolean;
  /** Older records were left out: there are too many. */
  readonly isCut: boolean;
  /** The oldest record that is there. */
  readonly first: number;
}

/** A piece of what is missing from `from` up to the newest record: first what is new, then what is older. */
export function gather(store: StoreContext, { from }: { readonly from: number }): Gathered {
  const columns = columnsOf(store);
  const { cutSeq, seq: last } = readHead(store);
  const oldest = Math.max(cutSeq + 1, from, last - mostRows + 1);
  columns.cutBefore(cutSeq + 1);
  if (columns.end === columns.first) {
    columns.first = last + 1;
    columns.end = last + 1;
  }
  if (columns.end <= last) {
    const upTo = Math.min(last, columns.end + rowsAtOnce - 1);
    readRows(store, columns, columns.end, upTo);
    columns.end = upTo + 1;
  } else if (columns.first > oldest) {
    const downTo = Math.max(oldest, columns.first - rowsAtOnce);
    readRows(store, columns, downTo, columns.first - 1);
    columns.first = downTo;
  }
  const done = columns.end > last && columns.first <= oldest;
  return { done, isCut: oldest > Math.max(cutSeq + 1, from), first: columns.first };
}

function readRows(store: StoreContext, columns: Columns, from: number, to: number): void {
  const statement = store.statement(facts);
  // Objects would cost more than all the rest.
  statement.setReturnArrays(true);
  const rows = statement.all(from, to) as unknown as readonly SQLOutputValue[][];
  // The newest first, also of a rule: where it stands now is what people want to see.
  for (let at = rows.length - 1; at >= 0; at--) columns.take(rows[at] as readonly SQLOutputValue[]);
}

/** Most bodies have neither: only those that may have one are parsed. */
const facts = `SELECT seq, at, kind, tool, caller, session_id, verdict, code, duration_ms,
    CASE WHEN instr(body, '"rule":{') > 0 THEN body -> '$.rule' END AS rule,
    CASE WHEN instr(body, '"approval":{') > 0 THEN body -> '$.approval' END AS asked
  FROM ledger WHERE seq >= ? AND seq <= ? ORDER BY seq`;
