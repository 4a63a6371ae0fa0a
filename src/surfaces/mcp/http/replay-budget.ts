/** Bounds what is kept for clients that may come back, for each caller and for all. Oldest first. */

export interface Shelved {
  /** Empties itself, and says so with `put`. */
  drop(): void;
}

export interface ShelfBounds {
  readonly ofCaller: number;
  readonly ofAll: number;
}

/** So much is in it now; 0 takes it from the shelf. */
export type Put = (one: Shelved, bytes: number) => void;

export class ReplayBudgets {
  readonly #bounds: ShelfBounds;
  readonly #all: Shelf;
  /** Only of those for whom something is kept. */
  readonly #each = new Map<string, Shelf>();

  constructor(bounds: ShelfBounds) {
    this.#bounds = bounds;
    this.#all = new Shelf(bounds.ofAll);
  }

  get bytes(): number {
    return this.#all.bytes;
  }

  of(caller: string): Put {
    return (one, bytes) => {
      const own = this.#each.get(caller) ?? new Shelf(this.#bounds.ofCaller);
      this.#each.set(caller, own);
      // Whoever keeps too much loses of their own first.
      own.put(one, bytes);
      this.#all.put(one, own.bytesOf(one));
      if (own.bytes === 0) this.#each.delete(caller);
    };
  }
}

class Shelf {
  readonly #maxBytes: number;
  readonly #held = new Map<Shelved, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  bytesOf(one: Shelved): number {
    return this.#held.get(one) ?? 0;
  }

  put(one: Shelved, bytes: number): void {
    this.#bytes += bytes - this.bytesOf(one);
    if (bytes === 0) this.#held.delete(one);
    else this.#held.set(one, bytes);
    // What can never fit must not push out what does.
    if (bytes > this.#maxBytes) one.drop();
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      oldest.drop();
    }
  }
}
