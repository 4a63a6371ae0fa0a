/** Counts of the ledger for charts: brings the columns up to date piece by piece, then counts over them. */
import type { LedgerFilter, LedgerReader, LedgerSpan } from "../../../../core/ports/ledger-reader.ts";
import type { LedgerClient } from "../sqlite-ledger.ts";

/** Whoever looks first waits no longer than this; what is not there by then is told. */
const patienceMs = 1_500;
const searchedAtOnce = 20_000;

interface ReadCounts extends Pick<LedgerReader, "histogram" | "ruleCounts"> {}

/** `asStored`: names in the filter as they stand in the ledger. */
export function createReadCounts(
  area: LedgerClient,
  asStored: (filter: LedgerFilter) => LedgerFilter,
  takeIn: () => Promise<void>,
): ReadCounts {
  let isGathering = false;

  /** Goes on after the answer: the next look finds more. */
  const goOn = async (from: number): Promise<void> => {
    if (isGathering) return;
    isGathering = true;
    try {
      while (!(await area.read("gather", { from })).done);
    } catch {
      // The store is closed, or fails: whoever looks next is told.
    }
    isGathering = false;
  };

  const prepare = async (asked: LedgerFilter, { since }: LedgerSpan) => {
    const deadline = Date.now() + patienceMs;
    await takeIn();
    const filter = asStored(asked);
    const from = await area.read("firstSince", since);
    let gathered = await area.read("gather", { from });
    while (!gathered.done && Date.now() < deadline) gathered = await area.read("gather", { from });
    if (!gathered.done) void goOn(from);
    const found = await search(filter, gathered.first, deadline);
    return { filter, only: found.only, complete: gathered.done && found.complete };
  };

  /** Text is not in the columns: the records themselves are searched, the newest first. */
  const search = async (filter: LedgerFilter, first: number, deadline: number) => {
    if (filter.text === undefined && filter.toolUseId === undefined) return { complete: true };
    const { seq: last } = await area.read("head", undefined);
    const seqs: number[] = [];
    for (let to = last; to >= first; to -= searchedAtOnce) {
      const from = Math.max(first, to - searchedAtOnce + 1);
      for (const seq of await area.read("seqsOf", { filter, from, to })) seqs.push(seq);
      if (Date.now() > deadline + patienceMs && from > first)
        return { only: Float64Array.from(seqs), complete: false };
    }
    return { only: Float64Array.from(seqs), complete: true };
  };

  return {
    async histogram(asked, span) {
      const { complete, ...counting } = await prepare(asked, span);
      return { ...(await area.read("histogram", { ...counting, ...span })), complete };
    },
    async ruleCounts(asked, span) {
      const { complete, ...counting } = await prepare(asked, span);
      return { ...(await area.read("countRules", { ...counting, ...span })), complete };
    },
  };
}
