/** The memory ledger as programs get it: what it shows has its secrets taken out. */
import type { JsonObject } from "../../core/input/json.ts";
import type { LedgerRecord } from "../../core/ports/ports.ts";
import { redact, redactText } from "../../safe/redact/redact.ts";
import { createMemoryLedger as createRawLedger, type MemoryLedger } from "./memory-ledger.ts";

/** Redacts when records are read: the walk must not wait for it, and the memory holds the input anyway. */
export function createMemoryLedger(options: { readonly maxRecords?: number } = {}): MemoryLedger {
  const ledger = createRawLedger(options);
  return {
    ...ledger,
    records: () => ledger.records().map(redactRecord),
    intents: () =>
      ledger
        .intents()
        .map((intent) => ({ ...intent, ...redactIds(intent), input: redactInput(intent.input) })),
  };
}

function redactRecord(record: LedgerRecord): LedgerRecord {
  const { message, result, notes } = record;
  return {
    ...record,
    ...redactIds(record),
    input: redactInput(record.input),
    message: message === undefined ? undefined : redactText(message),
    result: result === undefined ? undefined : redactText(result),
    notes: notes?.map((note) => redactText(note)),
  };
}

interface Ids {
  readonly sessionId: string | undefined;
  readonly toolUseId?: string | undefined;
}

/** Whoever calls makes them up. */
function redactIds({ sessionId, toolUseId }: Ids) {
  return {
    sessionId: sessionId === undefined ? undefined : redactText(sessionId),
    toolUseId: toolUseId === undefined ? undefined : redactText(toolUseId),
  };
}

function redactInput(input: JsonObject): JsonObject {
  return redact(input).value as JsonObject;
}
