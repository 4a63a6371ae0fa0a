/** Items that are added at one moment become one write; what nobody waits for waits for the next of them. */
import type { NewItem, SessionFacts } from "../core/ports/sessions.ts";

export type WriteItems = (items: readonly NewItem[], facts: Partial<SessionFacts>) => Promise<void>;

/** The longest that an item waits for company. */
const laterMs = 20;

export class ItemBatch {
  readonly #write: WriteItems;
  readonly #onEmpty: () => void;
  #items: NewItem[] = [];
  #facts: Partial<SessionFacts> = {};
  #written: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;
  #writes = 0;

  /** `onEmpty`: all that was added is kept, or could not be. */
  constructor(write: WriteItems, onEmpty: () => void = () => {}) {
    this.#write = write;
    this.#onEmpty = onEmpty;
  }

  /** Resolves when they are kept, with everything that was added before. */
  add(items: readonly NewItem[], facts: Partial<SessionFacts> = {}): Promise<void> {
    this.#items.push(...items);
    Object.assign(this.#facts, facts);
    this.#written ??= Promise.resolve().then(() => this.#writeAll());
    return this.#written;
  }

  /** Kept soon. Whoever adds next hears if that failed. */
  addLater(items: readonly NewItem[]): void {
    this.#items.push(...items);
    if (this.#written === undefined) this.#timer ??= setTimeout(() => this.#writeSoon(), laterMs);
  }

  /** What is not kept yet, for somebody who writes now to keep. */
  take(): { readonly items: readonly NewItem[]; readonly facts: Partial<SessionFacts> } {
    const taken = { items: this.#items, facts: this.#facts };
    this.#reset();
    return taken;
  }

  #writeSoon(): void {
    this.add([]).catch((error: unknown) => {
      this.#failure = error;
    });
  }

  async #writeAll(): Promise<void> {
    const [items, facts, failure] = [this.#items, this.#facts, this.#failure];
    this.#written = undefined;
    this.#failure = undefined;
    this.#reset();
    this.#writes++;
    try {
      if (failure !== undefined) throw failure;
      if (items.length > 0 || Object.keys(facts).length > 0) await this.#write(items, facts);
    } finally {
      this.#writes--;
      if (this.#writes === 0 && this.#items.length === 0) this.#onEmpty();
    }
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#items = [];
    this.#facts = {};
  }
}
