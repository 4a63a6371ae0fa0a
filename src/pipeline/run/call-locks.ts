/**
 * Which calls wait for which. Within a session readers run side by side and a writer runs alone; sessions do
 * not wait for each other, except that a tool with `lock: "gate"` runs alone whoever calls.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Cancellable } from "../../core/run/abort.ts";
import type { RunLock } from "../../core/tool/tool.ts";
import { ReadWriteLock, type Side } from "./read-write-lock.ts";

/** What one run holds. */
export class Hold {
  readonly session: ReadWriteLock | undefined;
  readonly side: Side;
  /** How it is inside of the lock of the whole gate. */
  readonly ofGate: Side | undefined;
  /** Ends with the run: code that it left behind (a timer) must queue like everybody else. */
  active = true;
  /** The run that made this call. */
  outer: Hold | undefined;

  constructor(session: ReadWriteLock | undefined, side: Side, ofGate: Side | undefined) {
    this.session = session;
    this.side = side;
    this.ofGate = ofGate;
  }

  /** Its own calls would wait for it. */
  get isAlone(): boolean {
    return this.session !== undefined && this.side === "write";
  }
}

/** So many sessions are remembered without a call; beyond that those without one are forgotten. */
const mostIdle = 1_024;

export class CallLocks {
  readonly #gate = new ReadWriteLock();
  readonly #sessions = new Map<string, ReadWriteLock>();
  #sweepAt = mostIdle;
  /** Inside a writer's run: what it calls itself shares its lock, or it would wait for itself. */
  readonly #insideWriter = new AsyncLocalStorage<Hold>();

  /**
   * What to `release` later, at once when nobody is in the way; else a promise, undefined if the caller gave
   * up. First the session, so that its calls keep their order; who waits for the gate holds up nobody but its
   * own session.
   */
  acquire(lock: RunLock, session: string, signal: Cancellable | undefined): Hold | Promise<Hold | undefined> {
    if (lock === "none") return new Hold(undefined, "read", undefined);
    const own = this.#lockOf(session);
    const wanted = new Hold(own, lock === "read" ? "read" : "write", lock === "gate" ? "write" : "read");
    if (own.enterAtOnce(wanted.side)) return this.#enterGate(wanted, signal);
    return this.#sharesWith(own, lock)
      ? new Hold(undefined, "read", undefined)
      : this.#waitForSession(own, wanted, signal);
  }

  /** Runs code that runs alone in its session. */
  runInside<Value>(hold: Hold, code: () => Value): Value {
    hold.outer = this.#insideWriter.getStore();
    return this.#insideWriter.run(hold, code);
  }

  release(hold: Hold): void {
    hold.active = false;
    if (hold.ofGate !== undefined) this.#gate.leave(hold.ofGate);
    hold.session?.leave(hold.side);
  }

  async #waitForSession(
    own: ReadWriteLock,
    wanted: Hold,
    signal: Cancellable | undefined,
  ): Promise<Hold | undefined> {
    return (await own.wait(wanted.side, signal)) ? this.#enterGate(wanted, signal) : undefined;
  }

  #enterGate(wanted: Hold, signal: Cancellable | undefined): Hold | Promise<Hold | undefined> {
    const { ofGate } = wanted;
    return ofGate === undefined || this.#gate.enterAtOnce(ofGate)
      ? wanted
      : this.#waitForGate(wanted, ofGate, signal);
  }

  async #waitForGate(wanted: Hold, ofGate: Side, signal: Cancellable | undefined): Promise<Hold | undefined> {
    // The run that made this call is inside of the gate: whoever wants to be alone there waits for that run.
    if (this.#innermost() !== undefined) return new Hold(wanted.session, wanted.side, undefined);
    if (await this.#gate.wait(ofGate, signal)) return wanted;
    wanted.session?.leave(wanted.side);
    return undefined;
  }

  #sharesWith(own: ReadWriteLock, lock: RunLock): boolean {
    for (let hold = this.#innermost(); hold !== undefined; hold = hold.outer)
      if (hold.active && (hold.session === own || hold.ofGate === "write" || lock === "gate")) return true;
    return false;
  }

  /** The nearest run around this call that has not ended. */
  #innermost(): Hold | undefined {
    let hold = this.#insideWriter.getStore();
    while (hold !== undefined && !hold.active) hold = hold.outer;
    return hold;
  }

  #lockOf(session: string): ReadWriteLock {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    if (this.#sessions.size >= this.#sweepAt) this.#sweep();
    const made = new ReadWriteLock();
    this.#sessions.set(session, made);
    return made;
  }

  #sweep(): void {
    for (const [session, lock] of this.#sessions) if (lock.isIdle) this.#sessions.delete(session);
    this.#sweepAt = this.#sessions.size + mostIdle;
  }
}
