/** A ledger that lives as long as the process, for embedding and for tests. Keeps the newest records. */
import type { Ledger, LedgerIntent, LedgerNote, LedgerRecord } from "../../core/ports/ports.ts";

export interface MemoryLedger extends Ledger {
  /** Oldest first. */
  records(): readonly LedgerRecord[];
  /** Started and not ended: what would be `unknown` after a crash. */
  open(intent: LedgerIntent): void;
  close(record: LedgerRecord): void;
  intents(): readonly LedgerIntent[];
  note(...args: Parameters<NonNullable<Ledger["note"]>>): void;
  /** Oldest first. */
  notes(): readonly LedgerNote[];
}

export function createMemoryLedger({
  maxRecords = 1_000,
}: {
  readonly maxRecords?: number;
} = {}): MemoryLedger {
  const intents = new Map<string, LedgerIntent>();
  const ring: LedgerRecord[] = [];
  const notes: LedgerNote[] = [];
  const told = new Map<string, string>();
  let next = 0;
  return {
    open(intent) {
      intents.set(intent.callId, intent);
    },
    close(record) {
      if (intents.size > 0) intents.delete(record.callId);
      ring[next] = record;
      next = (next + 1) % maxRecords;
    },
    records: () => (ring.length < maxRecords ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)]),
    note(note, state) {
      if (state !== undefined && (told.get(state.name) ?? "") === state.text) return;
      if (state !== undefined) told.set(state.name, state.text);
      notes.push(note);
      if (notes.length > maxRecords) notes.shift();
    },
    notes: () => [...notes],
    intents: () => [...intents.values()],
  };
}
