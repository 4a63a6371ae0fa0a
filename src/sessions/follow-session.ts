/** Reads a session's log from a place on and goes on with what happens, until the reader leaves. */
import type { SessionStore } from "../core/ports/sessions.ts";
import { itemEvent, type SessionEvent, seqOf, snapshotEvent } from "./session-event.ts";
import type { SessionFeed } from "./session-feed.ts";

export interface FollowOptions {
  /** The id of the last event that the reader has. Undefined: from the beginning. */
  readonly after?: string | undefined;
  /** False: without `message-delta`. */
  readonly deltas?: boolean | undefined;
  readonly signal: AbortSignal;
}

export interface FollowParts {
  readonly store: SessionStore;
  readonly feedOf: (id: string) => SessionFeed;
  /** A reader less. */
  readonly forgetFeed: (id: string) => void;
  /** This process runs it: everything comes by the feed, and no bell needs to be heard. */
  readonly isLocal: (id: string) => boolean;
}

/** A reader that is slower than the session reads the log again instead of filling the memory. */
const mostWaiting = 500;
const pageItems = 500;
/** A process that was killed rings no bell. */
const lookEveryMs = 1_000;

/** Ends when the signal aborts or the session is removed. Nothing for one that nobody knows. */
export async function* followSession(
  id: string,
  { after, deltas = true, signal }: FollowOptions,
  { store, feedOf, forgetFeed, isLocal }: FollowParts,
): AsyncGenerator<SessionEvent> {
  let waiting: SessionEvent[] = [];
  /** Messages that are whole: what was said of them before comes too late. */
  const whole = new Set<unknown>();
  let isBehind = false;
  let wake: (() => void) | undefined;
  const wakeUp = () => wake?.();
  const stops = [
    feedOf(id).listen((events) => {
      if (waiting.length + events.length > mostWaiting) {
        waiting = [];
        isBehind = true;
      } else waiting.push(...events);
      wakeUp();
    }),
    store.onChange(() => {
      if (isLocal(id)) return;
      isBehind = true;
      wakeUp();
    }),
  ];
  const looking = setInterval(() => {
    isBehind = true;
    wakeUp();
  }, lookEveryMs).unref();
  signal.addEventListener("abort", wakeUp);
  try {
    let session = await store.get(id);
    if (session === undefined || signal.aborted) return;
    const asked = after === undefined ? 0 : seqOf(session, after);
    if (asked === undefined)
      yield { id: undefined, event: "reset", data: { sessionId: id, reason: "unknown_cursor" } };
    let seq = asked ?? 0;
    yield snapshotEvent(session);
    let shown = `${session.state} ${session.turn}`;
    isBehind = true;
    while (!signal.aborted) {
      if (isBehind) {
        isBehind = false;
        session = await store.get(id);
        if (session === undefined) return;
        while (seq < session.lastSeq && !signal.aborted) {
          const items = await store.items(id, { after: seq, limit: pageItems });
          if (items.length === 0) break;
          for (const item of items) {
            seq = item.seq;
            if (item.kind === "message") whole.add(item.itemId);
            yield itemEvent(session, item);
          }
        }
        const now = `${session.state} ${session.turn}`;
        if (now !== shown) yield snapshotEvent(session);
        shown = now;
      }
      const events = waiting;
      waiting = [];
      for (const [at, event] of events.entries()) {
        if (event.event === "message-delta") {
          if (deltas && !whole.has(event.data.itemId)) yield event;
        } else if (event.event === "session") {
          const { state, turn } = event.data;
          if (`${state} ${turn}` !== shown) yield event;
          shown = `${state} ${turn}`;
        } else if (event.data.seq === seq + 1) {
          seq++;
          if (event.event === "message") whole.add(event.data.itemId);
          yield event;
        } else if ((event.data.seq as number) > seq) {
          // What is missing is in the log, and comes before all of this.
          waiting = [...events.slice(at), ...waiting];
          isBehind = true;
          break;
        }
      }
      if (isBehind || waiting.length > 0 || signal.aborted) continue;
      whole.clear();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
  } finally {
    clearInterval(looking);
    signal.removeEventListener("abort", wakeUp);
    for (const stop of stops) stop();
    forgetFeed(id);
  }
}
