/** The time of the database, so that machines whose clocks differ count the same windows. */

/** A smaller difference is the way of the answer, or does no harm. */
const smallestMs = 1_000;

export class DatabaseClock {
  #offsetMs = 0;

  /** How far this machine's clock is behind. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  now(): number {
    return Math.round(Date.now() + this.#offsetMs);
  }

  /** A time by this machine's clock. */
  toDatabase(time: number): number {
    return Math.round(time + this.#offsetMs);
  }

  /** The database said `told` between these two moments of this machine. */
  compare(told: number, sent: number, heard: number): void {
    const offset = told - (sent + heard) / 2;
    this.#offsetMs = Math.abs(offset) < Math.max(smallestMs, heard - sent) ? 0 : offset;
  }
}
