/** The whole ledger as JSON lines, with what is needed to verify it elsewhere. */
import type { LedgerReader } from "../../../core/ports/ledger-reader.ts";
import type { PostgresContext } from "../context.ts";
import { readHead } from "./head.ts";
import { readBlocks } from "./read-blocks.ts";
import { readSeals } from "./verify-ledger.ts";

export async function* exportLines(
  context: PostgresContext,
  { signal }: Parameters<LedgerReader["export"]>[0] & object,
): AsyncGenerator<string> {
  const { lines, pems } = await readSeals(context);
  const { ledgerId, block, seq, hash, cutBlock, cutSeq, cutHash } = await readHead(context.db);
  const publicKey = pems.length === 0 ? undefined : pems.join("\n");
  const chain = { ledger: ledgerId, block, seq, hash, cutBlock, cutSeq, cutHash };
  yield JSON.stringify({ type: "ledger", v: 2, ...chain, publicKey });
  for await (const { header, rows } of readBlocks(context.db, cutBlock, block)) {
    signal?.throwIfAborted();
    yield JSON.stringify({ type: "block", ...header });
    // The body as it is: it is JSON already, and its hash is over these very characters.
    for (const row of rows) yield `{"type":"row","seq":${row.seq},"hash":"${row.hash}","body":${row.body}}`;
  }
  for (const line of lines) yield JSON.stringify({ type: "checkpoint", line });
}
