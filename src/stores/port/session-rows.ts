/** Sessions, their items and prompts as rows of a database, and back. */
import type { PromptRecord, SessionItem, SessionRecord } from "../../core/ports/sessions.ts";
import { optionalNumber, optionalText, type Row } from "./row.ts";

export function toSession(row: Row): SessionRecord {
  return JSON.parse(String(row.body)) as SessionRecord;
}

export function columnsOf(session: SessionRecord) {
  const { owner, key, parent, state, folder, process } = session;
  return { owner, idempotency_key: key, parent, state, folder, process, body: JSON.stringify(session) };
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

export function promptRow(session: string, prompt: PromptRecord) {
  const { id, number, key, state, turn, by, at, text } = prompt;
  return { session, number, id, idempotency_key: key, state, turn, sent_by: by, at, text };
}

export function toPrompt(row: Row): PromptRecord {
  return {
    id: String(row.id),
    number: Number(row.number),
    text: String(row.text),
    by: String(row.sent_by),
    key: optionalText(row.idempotency_key),
    at: Number(row.at),
    state: String(row.state) as PromptRecord["state"],
    turn: optionalNumber(row.turn),
  };
}
