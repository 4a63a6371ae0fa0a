/** The log of a session that runs here: what is added is kept first, then told to those who follow it. */
import type { JsonObject } from "../core/input/json.ts";
import {
  activeStates,
  type NewItem,
  type SessionChange,
  type SessionFacts,
  type SessionItem,
  type SessionRecord,
  type SessionStore,
} from "../core/ports/sessions.ts";
import { ItemBatch } from "./item-batch.ts";
import type { SessionFeed } from "./session-feed.ts";

export interface SessionLogParts {
  readonly session: SessionRecord;
  readonly store: SessionStore;
  readonly process: string;
  readonly feed: SessionFeed;
  readonly newId: () => string;
}

/** The turn that an item belongs to is added here. */
export type TurnItem = Omit<NewItem, "turn">;

export class SessionLog {
  readonly #parts: SessionLogParts;
  readonly #batch = new ItemBatch(
    (items, facts) => this.change({ facts, items, states: activeStates }),
    () => this.#parts.feed.release(),
  );
  #session: SessionRecord;
  #turn: { readonly number: number; readonly signal: AbortSignal } | undefined;

  constructor(parts: SessionLogParts) {
    this.#parts = parts;
    this.#session = parts.session;
  }

  /** As it was kept last. */
  get session(): SessionRecord {
    return this.#session;
  }

  item(kind: NewItem["kind"], body: JsonObject): TurnItem {
    return { kind, itemId: this.#parts.newId(), body };
  }

  /** Items are of this turn from now on. When the signal aborts, no more are taken. */
  beginTurn(number: number, signal: AbortSignal): void {
    this.#turn = { number, signal };
  }

  endTurn(): void {
    this.#turn = undefined;
    this.#parts.feed.endTurn();
  }

  delta(itemId: string, text: string): void {
    const turn = this.#turn;
    if (turn !== undefined && !turn.signal.aborted) this.#parts.feed.delta(itemId, turn.number, text);
  }

  async add(items: readonly TurnItem[], facts: Partial<SessionFacts> = {}): Promise<void> {
    const added = this.#ofTurn(items);
    if (added.length === 0) return;
    this.#parts.feed.hold();
    await this.#batch.add(added, facts);
  }

  /** With the next that is added. */
  addLater(items: readonly TurnItem[]): void {
    const added = this.#ofTurn(items);
    if (added.length === 0) return;
    this.#parts.feed.hold();
    this.#batch.addLater(added);
  }

  /** What ends a turn, together with all that was added before it. */
  async end(item: TurnItem, change: Pick<SessionChange, "facts" | "states" | "dropPrompts">): Promise<void> {
    const left = this.#batch.take();
    await this.change({
      states: activeStates,
      ...change,
      facts: { ...left.facts, ...change.facts },
      items: [...left.items, { ...item, turn: this.#session.turn }],
    });
  }

  /** Only while this process runs the session. */
  async change(change: SessionChange): Promise<void> {
    const { store, process } = this.#parts;
    const result = await store.change(this.#session.id, { ...change, process });
    if (result.ok) this.publish(result.session, result.items);
  }

  /** What the store has kept. */
  publish(session: SessionRecord, items: readonly SessionItem[]): void {
    const before = this.#session;
    // Two changes may be answered in another order than they were made.
    if (session.lastSeq >= before.lastSeq) this.#session = session;
    this.#parts.feed.publish(session, items, before.state !== session.state || before.turn !== session.turn);
  }

  /** All items of the turns before the one that runs. */
  async history(): Promise<readonly SessionItem[]> {
    const { store } = this.#parts;
    const { id, turn } = this.#session;
    const all: SessionItem[] = [];
    for (;;) {
      const page = await store.items(id, { after: all.at(-1)?.seq, limit: pageItems });
      all.push(...page);
      if (page.length < pageItems) return all.filter((item) => item.turn < turn);
    }
  }

  /** Of a turn that was cancelled nothing more is added: its late results are in the ledger. */
  #ofTurn(items: readonly TurnItem[]): readonly NewItem[] {
    const turn = this.#turn;
    if (turn === undefined || turn.signal.aborted) return [];
    return items.map((item) => ({ ...item, turn: turn.number }));
  }
}

const pageItems = 5_000;
