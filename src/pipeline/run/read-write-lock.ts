/** Readers run side by side, a writer alone, and who came first goes first: no writer starves. */
import { type Cancellable, onAbort } from "../../core/run/abort.ts";

export type Side = "read" | "write";

interface Waiter {
  readonly side: Side;
  readonly start: () => void;
}

export class ReadWriteLock {
  #readers = 0;
  #writing = false;
  readonly #queue: Waiter[] = [];

  /** False: somebody is in the way, or waits already. */
  enterAtOnce(side: Side): boolean {
    if (this.#queue.length > 0 || !this.#isFree(side)) return false;
    this.#enter(side);
    return true;
  }

  /** True once it was entered; false if the caller gave up. */
  wait(side: Side, signal: Cancellable | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        side,
        start: () => {
          stopListening();
          this.#enter(side);
          resolve(true);
        },
      };
      this.#queue.push(waiter);
      const stopListening = onAbort(signal, () => {
        const index = this.#queue.indexOf(waiter);
        if (index === -1) return;
        this.#queue.splice(index, 1);
        resolve(false);
        this.#next();
      });
    });
  }

  leave(side: Side): void {
    if (side === "read") this.#readers--;
    else this.#writing = false;
    if (this.#queue.length > 0) this.#next();
  }

  /** Nobody is inside, nobody waits: it can be forgotten. */
  get isIdle(): boolean {
    return this.#readers === 0 && !this.#writing && this.#queue.length === 0;
  }

  #isFree(side: Side): boolean {
    return !this.#writing && (side === "read" || this.#readers === 0);
  }

  #enter(side: Side): void {
    if (side === "read") this.#readers++;
    else this.#writing = true;
  }

  #next(): void {
    for (
      let first = this.#queue[0];
      first !== undefined && this.#isFree(first.side);
      first = this.#queue[0]
    ) {
      this.#queue.shift();
      first.start();
    }
  }
}
