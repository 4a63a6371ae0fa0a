/** What clients of a session hear: the items of its log, and between them what is not kept. */
import { defined } from "../core/input/defined.ts";
import type { Json, JsonObject } from "../core/input/json.ts";
import type { SessionItem, SessionRecord } from "../core/ports/sessions.ts";

export interface SessionEvent {
  /** To go on from here. Undefined: not in the log, and not sent again. */
  readonly id: string | undefined;
  readonly event: SessionEventName;
  readonly data: JsonObject;
}

export type SessionEventName =
  /** The whole state: first, and whenever it changes. */
  | "session"
  | SessionItem["kind"]
  /** Text that was added to a message; the whole message follows. */
  | "message-delta"
  /** The place that was asked for is none of this session: forget what you have, all of it follows. */
  | "reset";

/** The same bytes whenever it is read: only what was stored is in it. */
export function itemEvent(
  { id, epoch }: Pick<SessionRecord, "id" | "epoch">,
  item: SessionItem,
): SessionEvent {
  const { seq, kind, turn, itemId, at, body } = item;
  return {
    id: cursorOf(epoch, seq),
    event: kind,
    data: { sessionId: id, seq, turn, itemId, at, ...body },
  };
}

export function deltaEvent(
  sessionId: string,
  delta: { readonly itemId: string; readonly turn: number; readonly offset: number; readonly text: string },
): SessionEvent {
  return { id: undefined, event: "message-delta", data: { sessionId, ...delta } };
}

export function snapshotEvent(session: SessionRecord): SessionEvent {
  return { id: undefined, event: "session", data: shownSession(session) };
}

/** What everybody who may look at a session is told of it. */
export function shownSession(session: SessionRecord): JsonObject {
  const { id, owner, runner, title, cwd, worktree, mode, model, tools, budget, single, parent } = session;
  const { state, end, turn, agentSessionId, usage, error, createdAt, updatedAt, endedAt } = session;
  const shown = {
    ...{ id, owner, runner, title, cwd, worktree, mode, model, single, parent },
    ...{ state, end, turn, agentSessionId, createdAt, updatedAt, endedAt },
    tools: defined({ offer: tools.offer, categories: tools.categories && [...tools.categories] }),
    budget: defined({ ...budget }),
    usage: { ...usage },
    error: error && { ...error },
    cursor: cursorOf(session.epoch, session.lastSeq),
  };
  return defined(shown) as Record<string, Json>;
}

export function cursorOf(epoch: string, seq: number): string {
  return `${epoch}-${seq}`;
}

/** Undefined: no place in this session's log. */
export function seqOf({ epoch, lastSeq }: SessionRecord, cursor: string): number | undefined {
  const dash = cursor.lastIndexOf("-");
  const digits = cursor.slice(dash + 1);
  if (cursor.slice(0, dash) !== epoch || !/^\d{1,12}$/.test(digits)) return undefined;
  const seq = Number(digits);
  return seq <= lastSeq ? seq : undefined;
}
