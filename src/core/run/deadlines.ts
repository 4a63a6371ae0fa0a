/** Time-outs of everything that runs, on one timer: a call pays for an entry in a list. */
import type { Clock } from "../ports/ports.ts";
import { IndexedList, type Positioned } from "./indexed-list.ts";

/** How often deadlines are looked at while something runs; nearer ones get an exact look. */
const lookEveryMs = 100;

/** Something that must end in time. */
export interface Timed extends Positioned {
  /** When its time is up, on the monotonic clock. */
  readonly deadline: number;
  timeIsUp(): void;
}

export type DeadlineClock = Pick<Clock, "monotonic" | "after">;

export class Deadlines {
  readonly #clock: DeadlineClock;
  readonly #running = new IndexedList<Timed>();
  #stopTimer: (() => void) | undefined;
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(clock: DeadlineClock) {
    this.#clock = clock;
  }

  /** `timed.deadline` says when. */
  add(timed: Timed, now: number): void {
    this.#running.add(timed);
    const { deadline } = timed;
    if (now + lookEveryMs < this.#looksAt || deadline < this.#looksAt)
      this.#lookAfter(Math.min(lookEveryMs, deadline - now), now);
  }

  remove(timed: Timed): void {
    this.#running.remove(timed);
  }

  /** Nothing runs any more: no timer keeps the process alive. */
  close(): void {
    this.#stopTimer?.();
    for (const timed of this.#running.all()) this.#running.remove(timed);
  }

  #lookAfter(wait: number, now: number): void {
    this.#stopTimer?.();
    this.#looksAt = now + wait;
    this.#stopTimer = this.#clock.after(wait, () => this.#look());
  }

  #look(): void {
    this.#looksAt = Number.POSITIVE_INFINITY;
    this.#stopTimer = undefined;
    const now = this.#clock.monotonic();
    let wait = lookEveryMs;
    for (const timed of this.#running.all()) {
      const left = timed.deadline - now;
      if (left > 0) wait = Math.min(wait, left);
      else {
        this.remove(timed);
        timed.timeIsUp();
      }
    }
    if (this.#running.size > 0) this.#lookAfter(wait, now);
  }
}
