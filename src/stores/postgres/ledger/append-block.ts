/** Adds one block to the chain: one statement moves the head, and inserts the block and its rows. */
import { StoreError } from "../../../core/ports/store-error.ts";
import { blockMark, leafHash, merkleRoot } from "../../ledger/blocks.ts";
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
   * Set: the writer is a process, and adds nothing once others have taken it for dead. A statement may outlive the process
   * that sent it; it must not add the end of a call that was told to be unknown. One that lives registers anew.
   */
  readonly register?: () => Promise<void>;
}

export interface AppendedBlock {
  /** Of its first row; the others follow. */
  readonly firstSeq: number;
}

/**
 * The head is locked from here to the commit, so it is the last thing that a transaction does. Whoever waited for the
 * head reads it anew (READ COMMITTED): numbers have no gaps and are in the order of commits.
 */
export async function appendBlock(tx: Statements, block: NewBlock): Promise<AppendedBlock> {
  const { rows, ledgerId, writer, writerBlock, at: writtenAt, register } = block;
  const leaves = rows.map(({ body }) => leafHash(body));
  const fields = rows.map((row) => row.fields);
  // No row tells of something that is later than its own time.
  const latest = Math.max(0, ...fields.map(({ at }) => (at < latestTime ? at : 0)));
  const values = [
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
    register !== undefined,
  ];
  let [head] = await tx.query(append, values);
  if (head === undefined && register !== undefined) {
    await register();
    [head] = await tx.query(append, values);
  }
  if (head === undefined)
    throw new StoreError(
      "gone",
      "The ledger in the database is another one than when toolgate started: the database was replaced. Nothing runs without a record: put it back, or start toolgate anew.",
    );
  return { firstSeq: Number(head.seq) - rows.length + 1 };
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

const time =
  "GREATEST(recorded_at, COALESCE($18::bigint, floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint), $2::bigint)";

/** The same text as `blockHash` of stores/ledger/blocks.ts. */
const header = `'${blockMark}' || E'\\n' || hash || E'\\n' || (block + 1) || E'\\n' || (seq + 1) || E'\\n' || $1::integer
    || E'\\n' || $3::text || E'\\n' || ${time} || E'\\n' || $4::text || E'\\n' || $5::bigint`;

/** `me`: held until the commit, so whoever deals with the dead waits for it; deleted meanwhile, it is not found. */
const append = `
WITH me AS (
  SELECT 1 FROM toolgate.nodes WHERE id = $4 FOR KEY SHARE
), h AS (
  UPDATE toolgate.ledger_head SET block = block + 1, seq = seq + $1::integer, recorded_at = ${time}, prev = hash,
    hash = encode(sha256(convert_to(${header}, 'UTF8')), 'hex')
  WHERE id = 1 AND ledger_id = $6 AND (NOT $19::boolean OR EXISTS (SELECT 1 FROM me))
  RETURNING block, seq, prev, hash, recorded_at
), b AS (
  INSERT INTO toolgate.ledger_block (block, first_seq, rows, root, prev, hash, at, writer, writer_block)
  SELECT block, seq - $1::integer + 1, $1::integer, $3, prev, hash, recorded_at, $4, $5 FROM h
), r AS (
  INSERT INTO toolgate.ledger (seq, block, hash, body, kind, at, recorded_at, call_id, tool, caller, session_id,
    verdict, code, duration_ms)
  SELECT h.seq - $1::integer + t.place, h.block, t.hash, t.body, t.kind, t.at, h.recorded_at, t.call_id, t.tool,
    t.caller, t.session_id, t.verdict, t.code, t.duration_ms
  FROM h, unnest($7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[], $13::text[],
    $14::text[], $15::text[], $16::text[], $17::double precision[]) WITH ORDINALITY
    AS t(hash, body, kind, at, call_id, tool, caller, session_id, verdict, code, duration_ms, place)
)
SELECT seq FROM h`;
