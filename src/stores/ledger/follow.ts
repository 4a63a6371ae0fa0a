/** New entries of every process as they come: woken by the bell, and by a slow look in case nobody rings. */

import type { LedgerEntry, LedgerReader } from "../../core/ports/ledger-reader.ts";
import { onAbort } from "../../core/run/abort.ts";

/** Hooks write to the spool and ring no bell. */
const lookEveryMs = 1_000;

export interface Followed extends Pick<LedgerReader, "query"> {
  /** Hears of rows that any process adds. Returns how to stop. */
  readonly listen: (listener: () => void) => () => void;
  readonly lastSeq: () => Promise<number>;
  readonly takeSpool: () => Promise<void>;
}

export async function* followLedger(
  { listen, lastSeq, query, takeSpool }: Followed,
  { filter = {}, after, signal }: Parameters<LedgerReader["follow"]>[0] & object,
): AsyncGenerator<LedgerEntry> {
  let woken = Promise.withResolvers<void>();
  const wake = () => woken.resolve();
  const stopListening = listen(wake);
  const timer = setInterval(wake, lookEveryMs);
  const stopAbort = onAbort(signal, wake);
  try {
    await takeSpool();
    let last = after ?? (await lastSeq());
    const isOver = () => signal?.aborted === true;
    while (!isOver()) {
      woken = Promise.withResolvers<void>();
      await takeSpool();
      const seq = await lastSeq();
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
