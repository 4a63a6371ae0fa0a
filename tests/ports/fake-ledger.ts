/** The ledger of the fake store: a list of chained entries. */
import type { JsonObject } from "../../src/core/input/json.ts";
import type { LedgerEntry, LedgerFilter, LedgerKind } from "../../src/core/ports/ledger-reader.ts";
import type { StoreLedger } from "../../src/core/ports/store.ts";
import { firstHash, nextHash } from "../../src/stores/ledger/chain.ts";

const ledgerId = "fake";

export function createFakeLedger(check: () => void = () => {}): StoreLedger {
  const entries: LedgerEntry[] = [];
  const told = new Map<string, string>();
  const listeners = new Set<() => void>();
  let sealedSeq = 0;

  function append(kind: LedgerKind, facts: object): void {
    check();
    const seq = entries.length + 1;
    const body = JSON.parse(JSON.stringify(facts)) as JsonObject;
    const { callId, tool, at } = body;
    const hash = nextHash(entries.at(-1)?.hash ?? firstHash(ledgerId), seq, JSON.stringify(body));
    const named = { callId: text(callId), tool: text(tool) };
    entries.push({ seq, hash, kind, at: Number(at), ...named, body });
    for (const listener of listeners) listener();
  }

  const find = (filter: LedgerFilter = {}) => entries.filter((entry) => fits(entry, filter));
  const query: StoreLedger["query"] = async (filter = {}, { limit = 50, order = "newest", after } = {}) => {
    const found = order === "newest" ? find(filter).reverse() : find(filter);
    const rest = found.filter(
      ({ seq }) => after === undefined || (order === "newest" ? seq < after : seq > after),
    );
    const page = rest.slice(0, limit);
    return rest.length > limit ? { entries: page, next: page.at(-1)?.seq ?? 0 } : { entries: page };
  };

  return {
    open: async (intent) => append("intent", intent),
    close: async (record) => append("completion", record),
    async note(note, state) {
      if (state !== undefined && (told.get(state.name) ?? "") === state.text) return;
      if (state !== undefined) told.set(state.name, state.text);
      append("note", note);
    },
    tryOut: async () => check(),
    query,
    show: async (wanted) =>
      entries.filter(({ seq, callId, body }) =>
        typeof wanted === "number" ? seq === wanted : callId === wanted || body.toolUseId === wanted,
      ),
    async running() {
      const ended = new Set(entries.flatMap((entry) => (entry.kind === "completion" ? entry.callId : [])));
      return entries.filter(({ kind, callId }) => kind === "intent" && !ended.has(callId));
    },
    async stats(filter = {}) {
      const found = find(filter);
      const refused = found.filter(({ body }) => body.ok === false);
      return {
        calls: found.length,
        unknown: 0,
        byVerdict: counts(found.map(({ body }) => body.verdict)),
        byTool: counts(found.map(({ tool }) => tool)).map((one) => ({
          ...one,
          refused: refused.filter(({ tool }) => tool === one.name).length,
          medianMs: undefined,
        })),
        byCaller: counts(found.map(({ body }) => body.caller)),
        byCode: counts(refused.map(({ body }) => body.code)),
        byDay: [],
      };
    },
    async histogram(filter, { since, until, buckets }) {
      const bucketMs = (until - since) / buckets;
      const found = find(filter).filter(({ at }) => at >= since && at < until);
      const of = (index: number, verdict: string) =>
        found.filter(
          ({ at, body }) => Math.floor((at - since) / bucketMs) === index && body.verdict === verdict,
        );
      return {
        since,
        until,
        bucketMs,
        scanned: entries.length,
        complete: true,
        buckets: Array.from({ length: buckets }, (_, index) => ({
          at: since + index * bucketMs,
          allow: of(index, "allow").length,
          ask: of(index, "ask").length,
          deny: of(index, "deny").length,
          abstain: of(index, "abstain").length,
          failed: of(index, "allow").filter(({ body }) => body.ok === false).length,
          unknown: 0,
        })),
      };
    },
    async ruleCounts(filter, { since, until, byCode }) {
      const found = find(filter).filter(({ at }) => at >= since && at < until);
      const ruled = found.filter(
        ({ body }) => body.rule !== undefined || (byCode && body.code !== undefined),
      );
      const groups = Map.groupBy(ruled, ({ body }) => JSON.stringify([body.rule, byCode && body.code]));
      const rules = [...groups.values()].map((all) => ({
        rule: all[0]?.body.rule as never,
        code: byCode ? text(all[0]?.body.code) : undefined,
        count: all.length,
        lastAt: Math.max(...all.map(({ at }) => at)),
        ask: all.filter(({ body }) => body.approval !== undefined).length,
        deny: all.filter(({ body }) => body.verdict === "deny").length,
        allow: all.filter(({ body }) => body.verdict === "allow" && body.approval === undefined).length,
      }));
      const sorted = rules.sort((one, other) => other.count - one.count);
      return { rules: sorted, records: entries.length, complete: true };
    },
    async *follow({ filter = {}, after = entries.length, signal } = {}) {
      for (let last = after; signal?.aborted !== true; ) {
        const { promise, resolve } = Promise.withResolvers<void>();
        listeners.add(resolve);
        signal?.addEventListener("abort", () => resolve(), { once: true });
        const fresh = find(filter).filter(({ seq }) => seq > last);
        last = entries.length;
        yield* fresh;
        if (fresh.length === 0 && !signal?.aborted) await promise;
        listeners.delete(resolve);
      }
    },
    async *export() {
      const head = { seq: entries.length, hash: entries.at(-1)?.hash ?? firstHash(ledgerId) };
      yield JSON.stringify({
        type: "ledger",
        v: 1,
        ledger: ledgerId,
        ...head,
        cutSeq: 0,
        cutHash: firstHash(ledgerId),
      });
      for (const { seq, hash, body } of entries) yield JSON.stringify({ type: "row", seq, hash, body });
    },
    async verify() {
      const rows = entries.length;
      const seqs = { rows, firstSeq: 1, lastSeq: rows, checkpoints: 0, sealedSeq };
      return { ok: true, ledgerId, ...seqs, problems: [] };
    },
    takeSpool: async () => ({ taken: 0 }),
    checkpoint: async () => {
      sealedSeq = entries.length;
    },
    removeBefore: async () => ({ removed: 0, firstSeq: 1 }),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function fits({ kind, tool, body }: LedgerEntry, filter: LedgerFilter): boolean {
  const { kinds = ["completion", "unknown"], tool: wanted, session, caller, verdict } = filter;
  const isTool = wanted?.endsWith("*") ? tool?.startsWith(wanted.slice(0, -1)) : tool === wanted;
  return (
    kinds.includes(kind) &&
    (wanted === undefined || isTool === true) &&
    (session === undefined || body.sessionId === session) &&
    (caller === undefined || body.caller === caller) &&
    (verdict === undefined || body.verdict === verdict)
  );
}

function counts(names: readonly unknown[]): { name: string; count: number }[] {
  const found = Map.groupBy(
    names.filter((name) => name !== undefined),
    String,
  );
  return [...found].map(([name, all]) => ({ name, count: all.length }));
}
