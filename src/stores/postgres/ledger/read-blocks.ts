/** Blocks with their rows, page by page, as they stand in the database. */

import { explainColumns } from "../../ledger/verify-columns.ts";
import type { ChainBlock, ChainRow } from "../../ledger/verify-rows.ts";
import type { Row } from "../../port/row.ts";
import type { Database } from "../database.ts";
import { column } from "./append-block.ts";

export interface ReadBlock {
  readonly header: ChainBlock;
  readonly rows: readonly (ChainRow & { readonly wrong?: string | undefined })[];
}

const rowsAtOnce = 2_000;
const blocksAtOnce = 200;

/** After this block, up to that one. */
export async function* readBlocks(db: Database, after: number, last: number): AsyncGenerator<ReadBlock> {
  for (let block = after; block < last; ) {
    const found = await db.look(
      "SELECT * FROM toolgate.ledger_block WHERE block > $1 AND block <= $2 ORDER BY block LIMIT $3",
      [block, last, blocksAtOnce],
    );
    if (found.length === 0) return;
    const headers = found.map(toHeader);
    // Some blocks at a time: a block has up to a thousand rows, most have few.
    for (let at = 0; at < headers.length; ) {
      let end = at;
      let rows = 0;
      while (end < headers.length && (rows === 0 || rows < rowsAtOnce)) rows += headers[end++]?.rows ?? 0;
      yield* withRows(db, headers.slice(at, end));
      at = end;
    }
    block = headers.at(-1)?.block ?? last;
  }
}

async function* withRows(db: Database, headers: readonly ChainBlock[]): AsyncGenerator<ReadBlock> {
  const from = Math.min(...headers.map(({ firstSeq }) => firstSeq));
  // Not by what the blocks say of their size: somebody may have changed that.
  const to = Math.max(...headers.map(({ firstSeq, rows }) => firstSeq + Math.min(rows, 100_000) - 1));
  const rows = await db.look("SELECT * FROM toolgate.ledger WHERE seq >= $1 AND seq <= $2 ORDER BY seq", [
    from,
    to,
  ]);
  let next = 0;
  for (const header of headers) {
    const own: Row[] = [];
    const end = header.firstSeq + header.rows;
    while (next < rows.length && Number(rows[next]?.seq) < end) own.push(rows[next++] as Row);
    yield { header, rows: own.map((row) => toRow(row, header)) };
  }
}

function toHeader(row: Row): ChainBlock {
  return {
    block: Number(row.block),
    firstSeq: Number(row.first_seq),
    rows: Number(row.rows),
    root: String(row.root),
    at: Number(row.at),
    writer: String(row.writer),
    writerBlock: Number(row.writer_block),
    before: String(row.prev),
    hash: String(row.hash),
  };
}

function toRow(row: Row, { block, at }: ChainBlock): ReadBlock["rows"][number] {
  const body = String(row.body);
  const wrong =
    Number(row.block) === block
      ? explainColumns(row, body, { text: column, recordedAt: at })
      : `Row ${row.seq} says that it is of block ${row.block}, but it is of block ${block}.`;
  return { seq: Number(row.seq), hash: String(row.hash), body, wrong };
}
