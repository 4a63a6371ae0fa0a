/** Lets so many programs run at once. Sessions take turns: a flood of one does not starve the others. */

export class Turns {
  readonly #max: number;
  #running = 0;
  #waiting = 0;
  /** Those who wait, by whom they belong to; the first key is the next to be served. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves with how to give the place back. Undefined: the signal ended the wait, or too many wait. */
  take(owner: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted || this.#waiting >= maxWaiting) return Promise.resolve(undefined);
    if (this.#running < this.#max) {
      this.#running++;
      return Promise.resolve(this.#place());
    }
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#remove(owner, one);
        resolve(undefined);
      };
      const one: Waiting = {
        begin: () => {
          signal.removeEventListener("abort", leave);
          resolve(this.#place());
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      const queue = this.#queues.get(owner);
      if (queue === undefined) this.#queues.set(owner, [one]);
      else queue.push(one);
      this.#waiting++;
    });
  }

  #place(): () => void {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = this.#next();
      // Handed over, not given back: somebody who comes at this moment must not pass those who wait.
      if (next === undefined) this.#running--;
      else next.begin();
    };
  }

  #next(): Waiting | undefined {
    for (const [owner, queue] of this.#queues) {
      const one = queue.shift();
      // To the end of the round, or out of it.
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue);
      if (one === undefined) continue;
      this.#waiting--;
      return one;
    }
    return undefined;
  }

  #remove(owner: string, one: Waiting): void {
    const queue = this.#queues.get(owner);
    const at = queue?.indexOf(one) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(owner);
  }
}

const maxWaiting = 10_000;

interface Waiting {
  begin(): void;
}
