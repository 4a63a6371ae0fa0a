/** Time-outs of everything that runs, on one timer: a call pays for a set entry, not for a timer of its own. */
import type { Clock } from "../../core/ports.ts";
import type { RunContext } from "../run-context.ts";

/** How often deadlines are looked at while something runs; nearer ones get an exact look. */
const lookEveryMs = 100;

export class Deadlines {
  readonly #clock: Clock;
  /** Each context knows its place here, so that leaving is one move. */
  readonly #running: RunContext[] = [];
  #stopTimer: (() => void) | undefined;
  #looksAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `context.deadline` says when; then the context is aborted. */
  add(context: RunContext, now: number): void {
    context.place = this.#running.push(context) - 1;
    const wait = Math.min(lookEveryMs, context.deadline - now);
    if (now + wait < this.#looksAt) this.#lookAfter(wait, now);
  }

  remove(context: RunContext): void {
    if (context.place === -1) return;
    const last = this.#running.pop() as RunContext;
    if (last !== context) {
      this.#running[context.place] = last;
      last.place = context.place;
    }
    context.place = -1;
  }

  /** Nothing runs any more: no timer keeps the process alive. */
  close(): void {
    this.#stopTimer?.();
    this.#running.length = 0;
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
    for (const context of [...this.#running]) {
      const left = context.deadline - now;
      if (left > 0) wait = Math.min(wait, left);
      else {
        this.remove(context);
        context.abort("timed_out");
      }
    }
    if (this.#running.length > 0) this.#lookAfter(wait, now);
  }
}
