/** Calls that started and have no end: those of dead processes become `unknown`, and are never run again by themselves. */
import type { JsonObject } from "../../../core/json.ts";
import type { Row, StoreContext } from "../area.ts";
import { append, readHead } from "./append.ts";
import { ledgerState } from "./state.ts";
import { statements } from "./statements.ts";

const openedKey = "ledger.opened";
const closedKey = "ledger.closed";

export function noteOpened(store: StoreContext, callId: string, seq: number): void {
  const before = (store.memo.get(openedKey) as readonly (readonly [string, number])[] | undefined) ?? [];
  store.memo.set(openedKey, [...before, [callId, seq]]);
}

export function noteClosed(store: StoreContext, callId: string): void {
  const before = (store.memo.get(closedKey) as readonly string[] | undefined) ?? [];
  store.memo.set(closedKey, [...before, callId]);
}

/** Only what was committed counts. */
export function rememberOpen(store: StoreContext): void {
  const { open } = ledgerState(store);
  const opened = store.memo.get(openedKey) as readonly (readonly [string, number])[] | undefined;
  for (const [callId, seq] of opened ?? []) open.set(callId, seq);
  for (const callId of (store.memo.get(closedKey) as readonly string[] | undefined) ?? [])
    open.delete(callId);
}

/** Moves the mark from which a dead process's open calls are looked for. */
export function moveMark(store: StoreContext): void {
  const [first] = ledgerState(store).open.values();
  store.run(statements.setWriter, store.processId, first ?? readHead(store).seq + 1);
}

export function markUnknown(store: StoreContext, processIds: readonly string[], why: string): void {
  for (const id of processIds) {
    const writer = store.get(statements.writer, id);
    if (writer === undefined) continue;
    for (const row of store.all(statements.openIntents, Number(writer.open_from_seq))) {
      const intent = JSON.parse(String(row.body)) as JsonObject;
      if (intent.process !== id) continue;
      const { callId, tool, permission, caller, sessionId, input, approval } = intent;
      append(store, "unknown", {
        at: store.now(),
        intentSeq: Number(row.seq),
        message: why,
        ...given({ callId, tool, permission, caller, sessionId, input, approval }),
      });
    }
    store.run(statements.removeWriter, id);
  }
}

/** Of every process. */
export function listOpen(store: StoreContext): Row[] {
  const first = store.get(statements.firstOpen)?.seq;
  return first === null || first === undefined ? [] : store.all(statements.openIntents, Number(first));
}

function given(facts: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as JsonObject;
}
