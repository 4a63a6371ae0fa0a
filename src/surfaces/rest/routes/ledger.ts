/** The ledger: pages, one call, counts, verification, and an export that others can verify. */
import { defined } from "../../../core/input/defined.ts";
import type { LedgerEntry as StoredEntry } from "../../../core/ports/ledger-reader.ts";
import { shownName } from "../../../core/text/visible.ts";
import { json, stream } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { LedgerEntries, LedgerEntry, LedgerPage, LedgerStats, Verification } from "../contract.ts";
import { defineStoreRoute } from "../rest-route.ts";
import {
  ledgerEntries,
  ledgerFilter,
  ledgerPage,
  ledgerQuery,
  ledgerStats,
  verification,
} from "../schemas/ledger.ts";
import { readTimes } from "../time-query.ts";
import { verificationJson } from "../verification.ts";

const queryLedger = defineStoreRoute({
  method: "GET",
  path: "/api/ledger",
  right: "read",
  summary: "Records of calls, a page at a time",
  description:
    "Newest first unless `order` says otherwise. Give the `next` of one page as `after` of the following one, with the same filters.",
  query: ledgerQuery,
  answers: { 200: ledgerPage },
  async handle({ query }, { store }) {
    const { limit, order, after, ...wanted } = query;
    const filter = readTimes(wanted);
    if ("kind" in filter) return filter;
    const { entries, next } = await store.ledger.query(filter, { limit, order, after });
    return json<LedgerPage>(defined({ entries: entries.map(toEntry), next }));
  },
});

const showEntries = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/entries/:id",
  right: "read",
  summary: "Every record of one call, oldest first",
  params: { id: "A call's id, the number of one record, or the model's id of a tool use." },
  answers: { 200: ledgerEntries },
  async handle({ params: { id } }, { store }) {
    const entries = await store.ledger.show(/^\d{1,15}$/.test(id) ? Number(id) : id);
    if (entries.length === 0) return problem("not_found", `The ledger holds nothing about ${shownName(id)}.`);
    return json<LedgerEntries>({ entries: entries.map(toEntry) });
  },
});

const runningCalls = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/running",
  right: "read",
  summary: "Calls that write or execute and run now, in any process",
  answers: { 200: ledgerEntries },
  handle: async (_request, { store }) =>
    json<LedgerEntries>({ entries: (await store.ledger.running()).map(toEntry) }),
});

const countLedger = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/stats",
  right: "read",
  summary: "Counts by verdict, tool, caller, code and day",
  query: ledgerFilter,
  answers: { 200: ledgerStats },
  async handle({ query }, { store }) {
    const filter = readTimes(query);
    if ("kind" in filter) return filter;
    const stats = await store.ledger.stats(filter);
    return json<LedgerStats>({
      ...stats,
      byTool: stats.byTool.map(({ medianMs, ...tool }) =>
        defined({ ...tool, medianMs: medianMs ?? undefined }),
      ),
    });
  },
});

const verifyLedger = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/verify",
  right: "read",
  summary: "Checks every record against the chain and its signed checkpoints",
  answers: { 200: verification },
  async handle({ signal }, { store }) {
    return json<Verification>(verificationJson(await store.ledger.verify({ signal })));
  },
});

const exportLedger = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/export",
  right: "read",
  summary: "The whole ledger as lines of JSON",
  description:
    "`verifyExport` checks it on another machine; records that are missing at its end are noticed there, too.",
  answers: {
    200: { contentType: "application/x-ndjson", description: "A head, every record, every checkpoint." },
  },
  handle: (_request, { store }) =>
    stream(
      "application/x-ndjson",
      async (out) => {
        let piece = "";
        for await (const line of store.ledger.export({ signal: out.signal })) {
          piece += `${line}\n`;
          if (piece.length < pieceLength) continue;
          if (!out.write(piece)) await out.drained();
          if (out.signal.aborted) return;
          piece = "";
        }
        out.write(piece);
      },
      { headers: { "content-disposition": 'attachment; filename="toolgate-ledger.ndjson"' } },
    ),
});

const pieceLength = 64 * 1024;

export const ledgerRoutes = [queryLedger, showEntries, runningCalls, countLedger, verifyLedger, exportLedger];

function toEntry({ seq, hash, kind, at, callId, tool, body }: StoredEntry): LedgerEntry {
  return defined({ seq, hash, kind, at, callId, tool, body });
}
