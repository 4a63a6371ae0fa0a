/**
 * How far the files of this machine's hooks are in the ledger. Whoever moves the rows brings this along: hooks go on
 * writing to the same files, and what is in the ledger would be taken in a second time.
 */
import type { DatabaseSync } from "node:sqlite";
import type { PostgresContext } from "../postgres/context.ts";

export async function bringPositions(source: DatabaseSync, { db, place }: PostgresContext): Promise<void> {
  const rows = source
    .prepare("SELECT name, inode, taken_bytes FROM ledger_spool WHERE name NOT LIKE 'journal/%'")
    .all();
  for (const { name, inode, taken_bytes: bytes } of rows)
    await db.run(
      `INSERT INTO toolgate.ledger_spool AS known VALUES ($1, $2, $3, $4) ON CONFLICT (place, name) DO UPDATE
       SET inode = excluded.inode, taken_bytes = CASE WHEN known.inode = excluded.inode
         THEN GREATEST(known.taken_bytes, excluded.taken_bytes) ELSE excluded.taken_bytes END`,
      [place, name, inode, bytes],
    );
}

export async function bringPositionsBack(
  { db, place }: PostgresContext,
  target: DatabaseSync,
): Promise<void> {
  const rows = await db.look("SELECT name, inode, taken_bytes FROM toolgate.ledger_spool WHERE place = $1", [
    place,
  ]);
  const keep = target.prepare(
    `INSERT INTO ledger_spool (name, inode, taken_bytes) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
     SET taken_bytes = CASE WHEN ledger_spool.inode = excluded.inode
       THEN max(ledger_spool.taken_bytes, excluded.taken_bytes) ELSE excluded.taken_bytes END, inode = excluded.inode`,
  );
  for (const row of rows) keep.run(String(row.name), String(row.inode), Number(row.taken_bytes));
}
