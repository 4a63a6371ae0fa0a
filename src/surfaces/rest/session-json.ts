/** Sessions and the items of their logs, as they go over the wire. */
import { defined } from "../../core/input/defined.ts";
import type { PromptRecord, SessionItem, SessionRecord } from "../../core/ports/sessions.ts";
import { itemEvent, shownSession } from "../../sessions/session-event.ts";
import type { Session, SessionPrompt } from "./contract.ts";

export function toSession(record: SessionRecord): Session {
  return shownSession(record) as unknown as Session;
}

/** As the stream of events has it. */
export function shownItem(session: Pick<SessionRecord, "id" | "epoch">, item: SessionItem) {
  const { id, event, data } = itemEvent(session, item);
  return { id, kind: event, data };
}

export function shownPrompt({ id, text, by, at, key }: PromptRecord): SessionPrompt {
  return defined({ id, text, by, at, key });
}
