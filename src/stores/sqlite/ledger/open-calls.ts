/** Calls that started and have no end. Those of dead processes become `unknown` and are never run again. */
import { canonicalJson } from "../../../core/input/canonical-json.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { StoreContext } from "../area.ts";
import type { Row } from "../context.ts";
import { append, readHead, writeRows } from "./append.ts";
import { ledgerState, type OpenCall } from "./state.ts";
import { statements } from "./statements.ts";

const changesKey = "ledger.open-calls";

/** Call ids, each followed by what is known of the call, or by undefined if it has ended. One flat list. */
type Changes = (string | OpenCall | undefined)[];

/** The last thing that an operation does: what it notes is not undone when it fails afterwards. */
export function noteChange(store: StoreContext, callId: string, opened: OpenCall | undefined): void {
  const changes = store.memo.get(changesKey) as Changes | undefined;
  if (changes !== undefined) changes.push(callId, opened);
  // Most calls only read and were never open: nothing of them is kept until the commit.
  else if (opened !== undefined || ledgerState(store).open.has(callId))
    store.memo.set(changesKey, [callId, opened]);
}

/** Only what was committed counts. */
export function rememberOpen(store: StoreContext): void {
  const { open } = ledgerState(store);
  const changes = (store.memo.get(changesKey) as Changes | undefined) ?? [];
  for (let at = 0; at < changes.length; at += 2) {
    const callId = changes[at] as string;
    const opened = changes[at + 1] as OpenCall | undefined;
    if (opened === undefined) open.delete(callId);
    else open.set(callId, opened);
  }
}

/** The input of a call that is open, as its intent has it. */
export function inputOf(store: StoreContext, callId: string): string {
  const known = ledgerState(store).open.get(callId);
  if (known?.inputText !== undefined) return known.inputText;
  writeRows(store);
  const row = store.all(statements.ofCall, callId).find(({ kind }) => kind === "intent");
  const { input = {} } = row === undefined ? {} : (JSON.parse(String(row.body)) as JsonObject);
  return canonicalJson(input);
}

/** Moves the mark from which a dead process's open calls are looked for. */
export function moveMark(store: StoreContext): void {
  const [first] = ledgerState(store).open.values();
  store.run(statements.setWriter, store.processId, first?.seq ?? readHead(store).seq + 1);
}

export function markUnknown(store: StoreContext, processIds: readonly string[], why: string): void {
  writeRows(store);
  for (const id of processIds) {
    const writer = store.get(statements.writer, id);
    if (writer === undefined) continue;
    for (const row of store.all(statements.openIntents, Number(writer.open_from_seq))) {
      const intent = JSON.parse(String(row.body)) as JsonObject;
      if (intent.process !== id) continue;
      const { callId, tool, permission, caller, sessionId, toolUseId, input, approval } = intent;
      append(store, "unknown", {
        at: store.now(),
        intentSeq: Number(row.seq),
        message: why,
        ...given({ callId, tool, permission, caller, sessionId, toolUseId, input, approval }),
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
