/** Ids of calls: each is used once in a session, though some endpoints give none, or the same again and again. */
import type { OpenCall } from "./answer.ts";

/** What every API takes as an id. */
const fits = /^[\w-]{1,64}$/;

export class CallIds {
  readonly #newId: () => string;
  readonly #used = new Set<string>();
  readonly #given = new WeakMap<OpenCall, string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Of a call that the log has. */
  use(id: string): void {
    this.#used.add(id);
  }

  /** The same one whenever the same call is asked for. */
  of(call: OpenCall): string {
    const known = this.#given.get(call);
    if (known !== undefined) return known;
    const id = fits.test(call.id) && !this.#used.has(call.id) ? call.id : `call_${this.#newId()}`;
    this.#used.add(id);
    this.#given.set(call, id);
    return id;
  }
}
