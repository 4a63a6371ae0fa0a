/** New entries of every process as they come: woken by the bell, and by a slow look in case nobody rings. */

import type { LedgerEntry, LedgerReader } from "../../../core/ports/ledger-reader.ts";
import { onAbort } from "../../../core/run/abort.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import type { LedgerClient } from "./sqlite-ledger.ts";

/** Hooks write to the spool and ring no bell. */
const lookEveryMs = 1_000;

export async function* followLedger(
  client: SqliteClient,
  area: LedgerClient,
  { query, takeSpool }: Pick<LedgerReader, "query"> & { readonly takeSpool: () => Promise<void> },
  { filter = {}, after, signal }: Parameters<LedgerReader["follow"]>[0] & object,
): AsyncGenerator<LedgerEntry> {
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const stopListening = client.listen("ledger", wake);
  const timer = setInterval(wake, lookEveryMs);
  const stopAbort = onAbort(signal, wake);
  try {
    await takeSpool();
    let last = after ?? (await area.read("head", undefined)).seq;
    const isOver = () => signal?.aborted === true;
    while (!isOver()) {
      woken = Promise.withResolvers<void>();
      await takeSpool();
      const { seq } = await area.read("head", undefined);
      while (last < seq) {
        const page = await query(filter, { order: "oldest", after: last, limit: 1_000 });
        for (const entry of page.entries) yield entry;
        // What came while this page was read is on the next one.
        last = page.next ?? Math.max(seq, page.entries.at(-1)?.seq ?? 0);
      }
      if (!isOver()) await woken.promise;
    }
  } finally {
    clearInterval(timer);
    stopListening();
    stopAbort();
  }
}
