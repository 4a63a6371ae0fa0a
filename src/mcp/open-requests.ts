/** Requests that have not been answered, by their ids. */
import type { RequestId } from "./messages.ts";

/** Almost everybody counts ids up, so that as many in a row have a place of their own. */
const places = 1_024;

/**
 * A Map that is filled and emptied all the time gets a new table again and again, and each old table leads to
 * the next. Once one has grown old, the collector keeps what all of them held: 300 MB instead of 190.
 */
export class OpenRequests<Value extends { readonly id: RequestId }> {
  /** Most connections have one at a time. */
  #only: Value | undefined;
  #placed: (Value | undefined)[] | undefined;
  /** Those with other ids, and those whose place is taken. */
  #others: Map<RequestId, Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: RequestId): Value | undefined {
    if (this.#only?.id === id) return this.#only;
    const place = placeOf(id);
    const placed = place === -1 ? undefined : this.#placed?.[place];
    return placed?.id === id ? placed : this.#others?.get(id);
  }

  /** Only for an id that is not there yet. */
  add(value: Value): void {
    this.#size++;
    if (this.#only === undefined) {
      this.#only = value;
      return;
    }
    const place = placeOf(value.id);
    this.#placed ??= new Array<Value | undefined>(places).fill(undefined);
    if (place !== -1 && this.#placed[place] === undefined) {
      this.#placed[place] = value;
      return;
    }
    this.#others ??= new Map();
    this.#others.set(value.id, value);
  }

  /** Gives what was there. */
  remove(id: RequestId): Value | undefined {
    const found = this.get(id);
    if (found === undefined) return undefined;
    this.#size--;
    const place = placeOf(id);
    if (this.#only === found) this.#only = undefined;
    else if (this.#placed !== undefined && place !== -1 && this.#placed[place] === found)
      this.#placed[place] = undefined;
    else this.#others?.delete(id);
    return found;
  }

  all(): Value[] {
    const all = [this.#only, ...(this.#placed ?? []), ...(this.#others?.values() ?? [])];
    return all.filter((value) => value !== undefined);
  }
}

/** -1: it has none. */
function placeOf(id: RequestId): number {
  return typeof id === "number" && id >= 0 && Number.isSafeInteger(id) ? id % places : -1;
}
