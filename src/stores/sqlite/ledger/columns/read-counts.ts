/** Counts of the ledger for charts: brings the columns up to date piece by piece, then counts over them. */
import type {
  LedgerFilter,
  LedgerReader,
  LedgerSpan,
  LedgerStats,
} from "../../../../core/ports/ledger-reader.ts";
import type { LedgerClient } from "../sqlite-ledger.ts";

/** Whoever looks first waits no longer than this; what is not there by then is told. */
const patienceMs = 1_500;
const searchedAtOnce = 20_000;

interface ReadCounts {
  readonly counts: Pick<LedgerReader, "histogram" | "ruleCounts">;
  /** Undefined: the filter asks for what columns do not hold, or there are too many records. */
  stats(filter: LedgerFilter): Promise<LedgerStats | undefined>;
  /** Somebody searches far back, and may do so again. */
  prepareAll(): void;
}

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
    const complete = gathered.done && !gathered.isCut && found.complete;
    return { filter, only: found.only, complete };
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

  const counts: ReadCounts["counts"] = {
    async histogram(asked, span) {
      const { complete, ...counting } = await prepare(asked, span);
      return { ...(await area.read("histogram", { ...counting, ...span })), complete };
    },
    async ruleCounts(asked, span) {
      const { complete, ...counting } = await prepare(asked, span);
      return { ...(await area.read("countRules", { ...counting, ...span })), complete };
    },
  };
  return {
    counts,
    async stats(filter) {
      if (filter.text !== undefined || filter.toolUseId !== undefined) return undefined;
      const { since = 0, until = Number.MAX_SAFE_INTEGER } = filter;
      const from = since === 0 ? 0 : await area.read("firstSince", since);
      let gathered = await area.read("gather", { from });
      while (!gathered.done) gathered = await area.read("gather", { from });
      return gathered.isCut ? undefined : area.read("statsOf", { filter, since, until });
    },
    prepareAll: () => void goOn(0),
  };
}
