/** Searching a ledger page by page, and everything about one call. */
import type { JsonObject } from "../../core/input/json.ts";
import {
  type LedgerEntry,
  type LedgerFilter,
  type LedgerKind,
  type LedgerReader,
  ledgerKinds,
} from "../../core/ports/ledger-reader.ts";
import type { Cleaner } from "./clean-text.ts";
import type { Look } from "./search-sql.ts";

type Row = Readonly<Record<string, unknown>>;

export interface Searched {
  /** One piece of a page. `next`: where to go on; absent when everything was looked at. */
  look(asked: Look): Promise<{ readonly rows: readonly Row[]; readonly next: number | undefined }>;
  ofCall(callId: string): Promise<readonly Row[]>;
  ofSeq(seq: number): Promise<readonly Row[]>;
  /** What is on its way into the ledger, before the first page. */
  takeIn(): Promise<void>;
  /** A search goes far back: the next one of the kind should be faster. */
  goFarBack?(): void;
}

const mostEntries = 1_000;
/** After so many pieces of the ledger without enough entries. */
const farBack = 3;

export interface Search extends Pick<LedgerReader, "query" | "show"> {
  /** Ids are stored without secrets, so they are searched for without them. */
  asStored(filter: LedgerFilter): LedgerFilter;
}

export function createSearch(
  { look, ofCall, ofSeq, takeIn, goFarBack }: Searched,
  cleaner: Pick<Cleaner, "cleanName" | "cleanId">,
): Search {
  const asStored = (filter: LedgerFilter): LedgerFilter => ({
    ...filter,
    session: cleaner.cleanName(filter.session).value ?? undefined,
    toolUseId:
      filter.toolUseId === undefined ? undefined : String(JSON.parse(cleaner.cleanId(filter.toolUseId))),
  });

  const query: LedgerReader["query"] = async (asked = {}, page = {}) => {
    const filter = asStored(asked);
    const { order = "newest" } = page;
    const limit = Math.min(Math.max(1, Math.trunc(page.limit ?? 50)), mostEntries);
    if (page.after === undefined) await takeIn();
    const entries: LedgerEntry[] = [];
    let after = page.after;
    for (let looks = 0; ; looks++) {
      if (looks === farBack) goFarBack?.();
      const found = await look({ filter, order, limit: limit - entries.length, after });
      entries.push(...found.rows.map(toEntry));
      after = found.next;
      if (after === undefined) return { entries };
      if (entries.length >= limit) return { entries, next: after };
    }
  };

  /** What an agent's hook said and what ran here are records of different calls. */
  const ofToolUse = async (toolUseId: string): Promise<LedgerEntry[]> => {
    const { entries } = await query({ toolUseId, kinds: ledgerKinds }, { limit: mostEntries });
    const calls = new Set(entries.flatMap(({ callId }) => callId ?? []));
    const rows = await Promise.all([...calls].map((callId) => ofCall(callId)));
    const bySeq = new Map([...entries, ...rows.flat().map(toEntry)].map((entry) => [entry.seq, entry]));
    // Hooks' records come in late.
    return [...bySeq.values()].sort((one, other) => one.at - other.at || one.seq - other.seq);
  };

  return {
    asStored,
    query,
    async show(wanted) {
      if (typeof wanted === "number") return (await ofSeq(wanted)).map(toEntry);
      const rows = await ofCall(wanted);
      return rows.length > 0 ? rows.map(toEntry) : ofToolUse(wanted);
    },
  };
}

export function toEntry(row: Row): LedgerEntry {
  return {
    seq: Number(row.seq),
    hash: String(row.hash),
    kind: row.kind as LedgerKind,
    at: Number(row.at),
    callId: row.call_id === null ? undefined : String(row.call_id),
    tool: row.tool === null ? undefined : String(row.tool),
    body: JSON.parse(String(row.body)) as JsonObject,
  };
}
