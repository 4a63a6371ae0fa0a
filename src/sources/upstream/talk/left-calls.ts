/** Calls that were given up, and that the server may still work on: a later question may be theirs. */

/** A server that was told to stop answers nothing, so it is never known when it has. */
const holdsMs = 600_000;
/** More than may wait and run at once. */
const mostKept = 8_192;

interface Left {
  readonly callerId: string | undefined;
  readonly at: number;
}

export class LeftCalls {
  readonly #left = new Map<number, Left>();

  add(id: number, callerId: string | undefined): void {
    for (const oldest of this.#left.keys()) {
      if (this.#left.size < mostKept) break;
      this.#left.delete(oldest);
    }
    this.#left.set(id, { callerId, at: performance.now() });
  }

  /** It was answered after all. */
  remove(id: number): void {
    this.#left.delete(id);
  }

  /** Nobody else has left one that may still ask. */
  isOnlyOf(callerId: string | undefined): boolean {
    const since = performance.now() - holdsMs;
    for (const [id, left] of this.#left) {
      if (left.at < since) this.#left.delete(id);
      else if (left.callerId !== callerId) return false;
    }
    return true;
  }
}
