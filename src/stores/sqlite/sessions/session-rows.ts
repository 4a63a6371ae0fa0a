/** Sessions, their items and prompts in SQLite. */
import type { NewItem, PromptRecord, SessionRecord } from "../../../core/ports/sessions.ts";
import { columnsOf, promptRow, toPrompt, toSession } from "../../port/session-rows.ts";
import type { StoreContext } from "../area.ts";

export function findSession(store: StoreContext, id: string): SessionRecord | undefined {
  const row = store.get("SELECT body FROM sessions WHERE id = ?", id);
  return row && toSession(row);
}

export function insertSession(store: StoreContext, session: SessionRecord): void {
  store.insert("sessions", { ...columnsOf(session), id: session.id }, "number");
}

/** Returns the row's JSON. */
export function updateSession(store: StoreContext, session: SessionRecord): string {
  const { state, process, body } = columnsOf(session);
  store.run(
    "UPDATE sessions SET state = ?, process = ?, body = ? WHERE id = ?",
    state,
    process ?? null,
    body,
    session.id,
  );
  return body;
}

/** An item whose body is JSON already. */
export interface WrittenItem extends Omit<NewItem, "body"> {
  readonly json: string;
}

export interface ItemsPlace {
  readonly session: string;
  readonly firstSeq: number;
  readonly at: number;
}

export function insertItems(
  store: StoreContext,
  { session, firstSeq, at }: ItemsPlace,
  items: readonly WrittenItem[],
): void {
  for (const [index, { turn, kind, itemId, json }] of items.entries())
    store.run(
      "INSERT INTO session_items (session, seq, turn, kind, item_id, at, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
      session,
      firstSeq + index,
      turn,
      kind,
      itemId,
      at,
      json,
    );
}

export function insertPrompt(store: StoreContext, session: string, prompt: PromptRecord): void {
  store.insert("session_prompts", promptRow(session, prompt));
}

export function promptsOf(store: StoreContext, session: string): PromptRecord[] {
  return store.all("SELECT * FROM session_prompts WHERE session = ? ORDER BY number", session).map(toPrompt);
}
