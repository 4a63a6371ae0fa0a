/** The ledger in the store: what the gate writes to, and what people read. */
import type { JsonObject } from "../../../core/json.ts";
import type { LedgerEntry, LedgerFilter, LedgerKind, LedgerReader } from "../../../core/ledger-reader.ts";
import type { Ledger } from "../../../core/ports.ts";
import type { Row } from "../area.ts";
import type { AreaClient, SqliteClient } from "../open-sqlite.ts";
import { exportLines } from "./export-lines.ts";
import { followLedger } from "./follow.ts";
import type { ledgerArea } from "./ledger-area.ts";
import { verifyLedger } from "./verify-ledger.ts";

export type LedgerClient = AreaClient<typeof ledgerArea>;

export interface DurableLedger extends Ledger, LedgerReader {
  open(...args: Parameters<Ledger["open"]>): Promise<void>;
  close(...args: Parameters<Ledger["close"]>): Promise<void>;
}

const mostEntries = 1_000;

export function createSqliteLedger(client: SqliteClient): DurableLedger {
  const area: LedgerClient = client.area<typeof ledgerArea>("ledger");
  const takeSpool = () => takeWholeSpool(area);
  /** Of the calls that are open. */
  const inputs = new Map<string, JsonObject>();

  const query: LedgerReader["query"] = async (filter = {}, page = {}) => {
    const { order = "newest" } = page;
    const limit = Math.min(Math.max(1, Math.trunc(page.limit ?? 50)), mostEntries);
    if (page.after === undefined) await takeSpool();
    const entries: LedgerEntry[] = [];
    let after = page.after;
    for (;;) {
      const found = await area.read("look", { filter, order, limit: limit - entries.length, after });
      entries.push(...found.rows.map(toEntry));
      after = found.next;
      if (after === undefined) return { entries };
      if (entries.length >= limit) return { entries, next: after };
    }
  };

  return {
    async open(intent) {
      await area.write("open", JSON.stringify(intent));
      inputs.set(intent.callId, intent.input);
    },
    close(record) {
      const { callId, input } = record;
      // The intent's input is in the worker already, redacted and written out.
      if (inputs.get(callId) !== input) return area.write("close", JSON.stringify(record));
      inputs.delete(callId);
      return area.write("close", JSON.stringify({ ...record, input: undefined }));
    },
    query,
    async show(wanted) {
      const rows = typeof wanted === "number" ? area.read("ofSeq", wanted) : area.read("ofCall", wanted);
      return (await rows).map(toEntry);
    },
    running: async () => (await area.read("running", undefined)).map(toEntry),
    async stats(filter: LedgerFilter = {}) {
      await takeSpool();
      return area.read("stats", { ...filter, kinds: ["completion", "unknown"] });
    },
    follow: (options = {}) => followLedger(client, area, { query, takeSpool }, options),
    async *export(options = {}) {
      await takeSpool();
      yield* exportLines(area, options);
    },
    verify: (options = {}) => verifyLedger(area, options),
    takeSpool,
    checkpoint: () => area.write("checkpoint", undefined),
    async removeBefore(time) {
      // Only what is signed may go.
      await area.write("checkpoint", undefined);
      for (let removed = 0; ; ) {
        const cut = await area.write("removeBefore", time);
        removed += cut.removed;
        if (cut.removed === 0) return { removed, firstSeq: cut.firstSeq };
      }
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

async function takeWholeSpool(area: LedgerClient): Promise<{ readonly taken: number }> {
  for (let taken = 0; ; ) {
    const some = await area.write("takeSpool", undefined);
    taken += some.taken;
    if (some.more) continue;
    await area.read("removeTaken", undefined);
    return { taken };
  }
}
