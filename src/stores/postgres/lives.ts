/**
 * How often this process was taken for dead and registered anew. What is sent compares itself with the count, so nobody
 * registers while something is on its way that was compared before.
 */
export class Lives {
  #count = 0;
  readonly #sending = new Set<Promise<unknown>>();
  #beginning: Promise<void> | undefined;

  get count(): number {
    return this.#count;
  }

  /** The count does not change before `work` has ended. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#beginning !== undefined) await this.#beginning.catch(() => {});
    const sending = work();
    this.#sending.add(sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(sending);
    }
  }

  /** Once for all who notice it at the same time. Not from inside of `during`. */
  begin(register: () => Promise<void>): Promise<void> {
    this.#beginning ??= this.#next(register).finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  async #next(register: () => Promise<void>): Promise<void> {
    await Promise.allSettled(this.#sending);
    this.#count++;
    await register();
  }
}
