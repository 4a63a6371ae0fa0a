/** Removes old blocks from the front of the chain. A signed note says where it was cut, for verification. */
import type { LedgerCut } from "../../../core/ports/ledger-reader.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import type { PostgresContext } from "../context.ts";
import type { Statements } from "../database.ts";
import { type Checkpoints, lastSigned } from "./checkpoints.ts";
import { firstSince, type Head, readHead } from "./head.ts";

/** In one transaction. */
const rowsAtOnce = 20_000;

export interface Retention {
  readonly checkpoints: Checkpoints;
  readonly noteRow: (facts: { readonly [name: string]: string | number }) => LedgerRow;
  /** Adds to the chain as the last thing of the transaction. */
  readonly append: (tx: Statements, rows: readonly LedgerRow[]) => Promise<void>;
}

/** Call it again until nothing was removed. */
export async function removeBefore(
  { db, clock }: PostgresContext,
  time: number,
  { checkpoints, noteRow, append }: Retention,
): Promise<LedgerCut> {
  if (!Number.isFinite(time)) throw new TypeError("removeBefore takes milliseconds since the epoch");
  const firstKept = await firstSince(db, time);
  return db.transaction(async (tx) => {
    const head = await readHead(tx);
    const cut = await findCut(tx, head, firstKept);
    if (cut === undefined) return { removed: 0, firstSeq: head.cutSeq + 1 };
    const { block, seq, hash } = cut;
    await tx.run("SELECT set_config('toolgate.retention', 'on', true)");
    const removed = await tx.run("DELETE FROM toolgate.ledger WHERE seq <= $1", [seq]);
    await tx.run("DELETE FROM toolgate.ledger_block WHERE block <= $1", [block]);
    await checkpoints.add(tx, head, { kind: "cut", seq, hash });
    await tx.run("UPDATE toolgate.ledger_head SET cut_block = $1, cut_seq = $2, cut_hash = $3 WHERE id = 1", [
      block,
      seq,
      hash,
    ]);
    const message = `Rows ${head.cutSeq + 1} to ${seq} were removed because they are older than ${new Date(time).toISOString()}.`;
    await append(tx, [noteRow({ at: clock.now(), message, cutSeq: seq, cutHash: hash })]);
    return { removed, firstSeq: seq + 1 };
  }, "checkpoint");
}

/** The end of a block: only what is signed and belongs to no running call. */
async function findCut(
  tx: Statements,
  { cutSeq }: Head,
  firstKept: number,
): Promise<{ readonly block: number; readonly seq: number; readonly hash: string } | undefined> {
  const [open] = await tx.query("SELECT min(open_from_seq) AS seq FROM toolgate.nodes");
  const last = Math.min(
    firstKept - 1,
    Number(open?.seq ?? Number.MAX_SAFE_INTEGER) - 1,
    await lastSigned(tx),
    cutSeq + rowsAtOnce,
  );
  const [row] = await tx.query(
    `SELECT block, first_seq + rows - 1 AS seq, hash FROM toolgate.ledger_block
     WHERE first_seq + rows - 1 <= $1 ORDER BY block DESC LIMIT 1`,
    [last],
  );
  return row && { block: Number(row.block), seq: Number(row.seq), hash: String(row.hash) };
}
