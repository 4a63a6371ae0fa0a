/** The head of the chain: where it ends, and where it begins after retention cut it. */
import { randomBytes } from "node:crypto";
import { firstHash } from "../../ledger/chain.ts";
import type { Statements } from "../database.ts";

export interface Head {
  readonly ledgerId: string;
  readonly block: number;
  readonly seq: number;
  readonly hash: string;
  readonly cutBlock: number;
  readonly cutSeq: number;
  readonly cutHash: string;
}

export async function readHead(db: Statements, lock = ""): Promise<Head> {
  const [row] = await db.query(`SELECT * FROM toolgate.ledger_head WHERE id = 1${lock}`);
  if (row === undefined) throw new Error("the ledger has no head: a row of the database was removed");
  return {
    ledgerId: String(row.ledger_id),
    block: Number(row.block),
    seq: Number(row.seq),
    hash: String(row.hash),
    cutBlock: Number(row.cut_block),
    cutSeq: Number(row.cut_seq),
    cutHash: String(row.cut_hash),
  };
}

/** Of all processes that see a new database first, one makes it. */
export async function makeHead(db: Statements): Promise<Head> {
  // A role that may only add blocks could not even try to make one.
  const [there] = await db.query("SELECT 1 AS one FROM toolgate.ledger_head WHERE id = 1");
  if (there !== undefined) return readHead(db);
  const ledgerId = randomBytes(12).toString("base64url");
  const hash = firstHash(ledgerId);
  await db.run(
    "INSERT INTO toolgate.ledger_head VALUES (1, $1, 0, 0, '', $2, 0, 0, 0, $2) ON CONFLICT DO NOTHING",
    [ledgerId, hash],
  );
  return readHead(db);
}

/** The first row written at that time or later; one more than the last if there is none. By halving. */
export async function firstSince(db: Statements, time: number): Promise<number> {
  const { cutSeq, seq } = await readHead(db);
  let low = cutSeq + 1;
  let high = seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await db.query("SELECT recorded_at FROM toolgate.ledger WHERE seq = $1", [middle]);
    // Rows that were taken away are for verification to find; here they must not hide others.
    if (row === undefined || Number(row.recorded_at) >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}
