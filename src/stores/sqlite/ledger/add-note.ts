/** Notes about the gate itself: rows of the chain, in the same transaction as what they tell. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { LedgerNote } from "../../../core/ports/ports.ts";
import type { StoreContext } from "../area.ts";
import { append } from "./append.ts";
import { statements } from "./statements.ts";

export interface GivenNote {
  readonly note: LedgerNote;
  readonly state: { readonly name: string; readonly text: string } | undefined;
}

export function addNote(store: StoreContext, { note, state }: GivenNote): void {
  if (state !== undefined) {
    const told = String(store.get(statements.told, state.name)?.text ?? "");
    if (told === state.text) return;
    store.run(statements.tell, state.name, state.text);
  }
  append(store, "note", note as unknown as JsonObject);
}
