/** Waiting for the other end of a pipe without going to sleep, where it is known to be quick. */
import { availableParallelism } from "node:os";

/** So long the event loop goes on turning. */
const awakeMs = 0.1;
/** An answer that came within this time was quick; being woken for it takes its part of that. */
const soonMs = 0.2;

/** With a single one the other side could not work meanwhile. */
const processors = availableParallelism();

/** One for all pipes: the loop turns for everybody. */
let awakeUntil = 0;
let isTurning = false;

/**
 * A process that sleeps has to be woken, and on a virtual machine that takes longer than most answers. So where the last message came quickly, we
 * stay awake a moment for the next one. Where it did not, we sleep at once: a client that thinks and a server that works cost nothing.
 */
export class Vigil {
  /** Since when we wait; 0: we do not. */
  #since = 0;
  #wasQuick = false;
  readonly #mayStayAwake: boolean;

  constructor(ofProcessors: number = processors) {
    this.#mayStayAwake = ofProcessors > 1;
  }

  /** A message went out alone. */
  begin(): void {
    const now = performance.now();
    this.#since = now;
    if (!this.#wasQuick || !this.#mayStayAwake) return;
    awakeUntil = now + awakeMs;
    if (isTurning) return;
    isTurning = true;
    setImmediate(turn);
  }

  /** Something came. */
  end(): void {
    if (this.#since === 0) return;
    this.#wasQuick = performance.now() - this.#since < soonMs;
    this.#since = 0;
  }
}

function turn(): void {
  if (performance.now() < awakeUntil) setImmediate(turn);
  else isTurning = false;
}
