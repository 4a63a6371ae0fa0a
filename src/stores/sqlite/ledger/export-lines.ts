/** The whole ledger as JSON lines, with what is needed to verify it elsewhere. */
import type { LedgerReader } from "../../../core/ports/ledger-reader.ts";
import type { LedgerClient } from "./sqlite-ledger.ts";

const rowsAtOnce = 1_000;

export async function* exportLines(
  area: LedgerClient,
  { signal }: Parameters<LedgerReader["export"]>[0] & object,
): AsyncGenerator<string> {
  const { head, publicKey, checkpointLines } = await area.read("seal", undefined);
  const { ledgerId, seq, hash, cutSeq, cutHash } = head;
  yield JSON.stringify({ type: "ledger", v: 1, ledger: ledgerId, seq, hash, cutSeq, cutHash, publicKey });
  for (let after = cutSeq; after < seq; ) {
    signal?.throwIfAborted();
    const rows = await area.read("verifyPage", { after, last: seq, limit: rowsAtOnce });
    if (rows.length === 0) break;
    // The body as it is: it is JSON already, and its hash is over these very characters.
    for (const row of rows) yield `{"type":"row","seq":${row.seq},"hash":"${row.hash}","body":${row.body}}`;
    after = rows.at(-1)?.seq ?? seq;
  }
  for (const line of checkpointLines) yield JSON.stringify({ type: "checkpoint", line });
}
