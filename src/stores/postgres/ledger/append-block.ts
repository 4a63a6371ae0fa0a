/** Adds one block to the chain: one statement moves the head, and inserts the block and its rows. */
import { StoreError } from "../../../core/ports/store-error.ts";
import { leafHash, merkleRoot } from "../../ledger/blocks.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import { type Statements, storableText } from "../database.ts";

export interface NewBlock {
  readonly ledgerId: string;
  readonly writer: string;
  readonly writerBlock: number;
  readonly rows: readonly LedgerRow[];
  /** When it was written, where that was long ago. Default: now. */
  readonly at?: number;
  /**
   * The writer is a process, and adds nothing once others have taken it for dead. A statement may outlive the process that
   * sent it; it must not add the end of a call that was told to be unknown.
   */
  readonly asProcess?: boolean;
}

export interface AppendedBlock {
  /** Of its first row; the others follow. */
  readonly firstSeq: number;
}

export async function appendBlock(tx: Statements, block: NewBlock): Promise<AppendedBlock> {
  const appended = await tryAppend(tx, block);
  if (appended === undefined) throw replaced();
  return appended;
}

export function replaced(): StoreError {
  return new StoreError(
    "gone",
    "The ledger in the database is another one than when toolgate started: the database was replaced. Nothing runs without a record: put it back, or start toolgate anew.",
  );
}

/**
 * The head is locked from here to the commit, so it is the last thing that a transaction does. Whoever waited for the
 * head reads it anew (READ COMMITTED): numbers have no gaps and are in the order of commits. Undefined: the head is
 * another one, or the writer is taken for dead.
 */
export async function tryAppend(tx: Statements, block: NewBlock): Promise<AppendedBlock | undefined> {
  const [row] = await tx.query(append, valuesOf(block));
  if (row?.seq === null || row === undefined) return undefined;
  return { firstSeq: Number(row.seq) - block.rows.length + 1 };
}

function valuesOf(block: NewBlock): readonly unknown[] {
  const { rows, ledgerId, writer, writerBlock, at: writtenAt, asProcess = false } = block;
  const leaves = rows.map(({ body }) => leafHash(body));
  const fields = rows.map((row) => row.fields);
  // No row tells of something that is later than its own time.
  const latest = Math.max(0, ...fields.map(({ at }) => (at < latestTime ? at : 0)));
  return [
    rows.length,
    latest,
    merkleRoot(leaves),
    writer,
    writerBlock,
    ledgerId,
    leaves.map((leaf) => leaf.toString("hex")),
    rows.map(({ body }) => body),
    fields.map(({ kind }) => kind),
    fields.map(({ at }) => at),
    fields.map(({ callId }) => column(callId)),
    fields.map(({ tool }) => column(tool)),
    fields.map(({ caller }) => column(caller)),
    fields.map(({ sessionId }) => column(sessionId)),
    fields.map(({ verdict }) => column(verdict)),
    fields.map(({ code }) => column(code)),
    fields.map(({ durationMs }) => durationMs),
    writtenAt ?? null,
    asProcess,
  ];
}

/** Whether a block is in the chain whose connection broke. `count` may be more than was sent last. */
export async function findBlock(
  { db, writer }: { readonly db: Statements; readonly writer: string },
  writerBlock: number,
): Promise<{ readonly firstSeq: number; readonly count: number } | undefined> {
  const [row] = await db.query(
    "SELECT first_seq, rows FROM toolgate.ledger_block WHERE writer = $1 AND writer_block = $2",
    [writer, writerBlock],
  );
  return row && { firstSeq: Number(row.first_seq), count: Number(row.rows) };
}

/** A time beyond it is no time; believed, it would be the time of all rows to come. */
const latestTime = 8_640_000_000_000_000;

/** As the columns have it; whoever verifies compares with the same. */
export function column(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

const append = `SELECT toolgate.ledger_append(${Array.from({ length: 19 }, (_, index) => `$${index + 1}`).join(", ")}) AS seq`;
