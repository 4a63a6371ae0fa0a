/** Ends sessions that this process does not run: in the store, or by asking the process that runs them. */
import { randomBytes } from "node:crypto";
import type { SessionChanged, SessionRecord, SessionStore } from "../core/ports/sessions.ts";

export interface EndAsked {
  readonly by: string;
  /** Only this turn. */
  readonly turn?: number | undefined;
  /** The process that asks: what it was to run, it ends itself. */
  readonly process?: string | undefined;
}

export async function endFromOutside(
  store: SessionStore,
  session: SessionRecord,
  { by, turn, process }: EndAsked,
): Promise<SessionChanged> {
  const { id } = session;
  const isElsewhere = session.process !== undefined && session.process !== process;
  if (isElsewhere) return store.change(id, { facts: { cancelAsked: { by, turn } } });
  const itemId = randomBytes(9).toString("base64url");
  return store.change(id, {
    facts: { state: "ended", end: "cancelled", endedAt: Date.now(), process: undefined },
    items: [{ kind: "cancelled", turn: session.turn, itemId, body: { by, what: "session" } }],
    dropPrompts: true,
  });
}

/** Messages that were to go on with a session that has ended are taken no more. */
export async function dropWaiting(store: SessionStore, { id }: Pick<SessionRecord, "id">): Promise<void> {
  const waits = (await store.prompts(id)).some(({ state }) => state === "queued");
  if (waits) await store.change(id, { dropPrompts: true, states: ["ended"] });
}

/**
 * All sessions of somebody who may not use the gate any more: agents work with their owner's rights. Returns those
 * that were not over yet.
 */
export async function endSessionsOf(
  store: SessionStore,
  owner: string,
  by: string,
): Promise<readonly string[]> {
  const ended: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.list({ owner, limit: 500, after });
    for (const session of page.sessions) {
      if (session.state === "ended") await dropWaiting(store, session);
      else if ((await endFromOutside(store, session, { by })).ok) ended.push(session.id);
    }
    after = page.next;
  } while (after !== undefined);
  return ended;
}
