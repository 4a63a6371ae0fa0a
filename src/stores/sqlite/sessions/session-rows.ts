/** Sessions, their items and prompts as rows, and back. */
import type { NewItem, PromptRecord, SessionItem, SessionRecord } from "../../../core/ports/sessions.ts";
import type { StoreContext } from "../area.ts";
import type { Row } from "../context.ts";

export function findSession(store: StoreContext, id: string): SessionRecord | undefined {
  const row = store.get("SELECT body FROM sessions WHERE id = ?", id);
  return row && toSession(row);
}

export function toSession(row: Row): SessionRecord {
  return JSON.parse(String(row.body)) as SessionRecord;
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

function columnsOf(session: SessionRecord) {
  const { owner, key, parent, state, folder, process } = session;
  return { owner, idempotency_key: key, parent, state, folder, process, body: JSON.stringify(session) };
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

export function toItem(row: Row): SessionItem {
  return {
    seq: Number(row.seq),
    kind: String(row.kind) as SessionItem["kind"],
    turn: Number(row.turn),
    itemId: String(row.item_id),
    at: Number(row.at),
    body: JSON.parse(String(row.body)) as SessionItem["body"],
  };
}

export function insertPrompt(store: StoreContext, session: string, prompt: PromptRecord): void {
  const { id, number, key, state, turn, by, at, text } = prompt;
  const row = { session, number, id, idempotency_key: key, state, turn, sent_by: by, at, text };
  store.insert("session_prompts", row);
}

export function promptsOf(store: StoreContext, session: string): PromptRecord[] {
  return store.all("SELECT * FROM session_prompts WHERE session = ? ORDER BY number", session).map(toPrompt);
}

function toPrompt(row: Row): PromptRecord {
  return {
    id: String(row.id),
    number: Number(row.number),
    text: String(row.text),
    by: String(row.sent_by),
    key: row.idempotency_key === null ? undefined : String(row.idempotency_key),
    at: Number(row.at),
    state: String(row.state) as PromptRecord["state"],
    turn: row.turn === null ? undefined : Number(row.turn),
  };
}
