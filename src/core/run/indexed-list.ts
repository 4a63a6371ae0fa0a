/** What is under way, of many that come and go: each knows its position in the list. */

export interface Positioned {
  /** -1: it is not in the list. Only the list sets it. */
  position: number;
}

/** A list and no Set: each item knows its position, so that leaving costs nothing. */
export class IndexedList<Item extends Positioned> {
  readonly #all: Item[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(item: Item): void {
    item.position = this.#all.push(item) - 1;
  }

  /** The last one takes its position. */
  remove(item: Item): void {
    const { position } = item;
    const last = position === -1 ? undefined : this.#all.pop();
    if (last === undefined) return;
    if (last !== item) {
      this.#all[position] = last;
      last.position = position;
    }
    item.position = -1;
  }

  /** As it is now: they may leave while they are looked at. */
  all(): Item[] {
    return [...this.#all];
  }
}
