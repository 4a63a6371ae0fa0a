/** Hands what happens in a session to those who follow it in this process, and joins deltas that come fast. */
import type { SessionItem, SessionRecord } from "../core/ports/sessions.ts";
import { deltaEvent, itemEvent, type SessionEvent, snapshotEvent } from "./session-event.ts";

/** Twenty a second are more than anybody reads. */
const deltaEveryMs = 50;

interface OpenItem {
  readonly turn: number;
  /** What followers have been sent of it. */
  sent: string;
  waiting: string;
  timer: NodeJS.Timeout | undefined;
  lastAt: number;
}

export class SessionFeed {
  readonly #sessionId: string;
  readonly #listeners = new Set<(events: readonly SessionEvent[]) => void>();
  readonly #open = new Map<string, OpenItem>();
  #isHeld = false;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** What was already said of messages that are still being written comes first. Returns how to stop. */
  listen(listener: (events: readonly SessionEvent[]) => void): () => void {
    const begun = [...this.#open].filter(([, { sent }]) => sent !== "");
    if (begun.length > 0)
      listener(
        begun.map(([itemId, { turn, sent }]) =>
          deltaEvent(this.#sessionId, { itemId, turn, offset: 0, text: sent }),
        ),
      );
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  delta(itemId: string, turn: number, text: string): void {
    if (text === "") return;
    const item = this.#open.get(itemId) ?? { turn, sent: "", waiting: "", timer: undefined, lastAt: 0 };
    this.#open.set(itemId, item);
    item.waiting += text;
    if (item.timer !== undefined || this.#isHeld) return;
    const since = performance.now() - item.lastAt;
    if (since >= deltaEveryMs) this.#flush(itemId, item);
    else item.timer = setTimeout(() => this.#flush(itemId, item), deltaEveryMs - since).unref();
  }

  /** Items are on their way into the log: what is said from now on comes after them, as it happened. */
  hold(): void {
    this.#isHeld = true;
  }

  /** All of them are told. */
  release(): void {
    this.#isHeld = false;
    for (const [itemId, item] of this.#open)
      if (item.timer === undefined && item.waiting !== "") this.#flush(itemId, item);
  }

  /** Items that are in the log now, and the session as it is with them. */
  publish(session: SessionRecord, items: readonly SessionItem[], stateChanged: boolean): void {
    for (const { itemId } of items) this.#forget(itemId);
    const events = items.map((item) => itemEvent(session, item));
    this.#tell(stateChanged ? [...events, snapshotEvent(session)] : events);
  }

  /** The turn is over: what was not finished never will be. */
  endTurn(): void {
    for (const itemId of [...this.#open.keys()]) this.#forget(itemId);
    this.#isHeld = false;
  }

  #flush(itemId: string, item: OpenItem): void {
    item.timer = undefined;
    if (this.#isHeld) return;
    item.lastAt = performance.now();
    const { turn, waiting: text } = item;
    const offset = item.sent.length;
    item.sent += text;
    item.waiting = "";
    this.#tell([deltaEvent(this.#sessionId, { itemId, turn, offset, text })]);
  }

  #forget(itemId: string): void {
    clearTimeout(this.#open.get(itemId)?.timer);
    this.#open.delete(itemId);
  }

  #tell(events: readonly SessionEvent[]): void {
    if (events.length > 0) for (const listener of [...this.#listeners]) listener(events);
  }
}
