/**
 * Rows of this process on their way into the chain. What comes while blocks are being written goes into the next one,
 * so blocks grow with the load. A block whose connection broke is looked for and, if it is not there, sent again: it
 * has a number of its own, so it is in the chain once.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../../../core/ports/store-error.ts";
import { plural } from "../../../core/text/plural.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import { isAway, isNotDone, isTakenTwice, mayWorkLater, unavailable } from "../connect/postgres-error.ts";
import { findBlock } from "./append-block.ts";
import { Outage } from "./outage.ts";
import { type Handing, sendBlock, type Waiting, type WriterPorts } from "./send-block.ts";

/** Statements at a time. */
const mostInFlight = 2;
const mostRows = 1_000;
/** More than this waits: the database is too slow for what is written. */
const mostWaiting = 16_000;
/** Whoever waits for longer is told so. */
const patienceMs = 5_000;

export class BlockWriter {
  readonly #ports: WriterPorts;
  #waiting: Waiting[] = [];
  #blocks = 0;
  #inFlight = 0;
  #scheduled = false;
  #patience: NodeJS.Timeout | undefined;
  readonly #unsent = new Set<Waiting>();
  readonly #unsure = new Set<LedgerRow>();
  readonly #outage: Outage;
  /** Why the last block could not be written. */
  #problem: StoreError | undefined;
  #closing = false;
  #refused: StoreError | undefined;
  /** The highest number that this process knows to be written. */
  lastSeq = 0;
  /** How many rows were ever handed in. */
  added = 0;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
    this.#outage = new Outage(ports.db, ports.onBack);
  }

  /** How many rows are not in the chain yet. */
  get pending(): number {
    return this.#unsent.size;
  }

  /** The database could not be reached when it was last tried. */
  get isLost(): boolean {
    return this.#outage.why !== undefined;
  }

  /** The wait for it failed, and it may be in the chain all the same. */
  isUnsure(row: LedgerRow): boolean {
    return this.#unsure.has(row);
  }

  /** From now on nothing is written. Undefined: it is again. */
  refuse(why: StoreError | undefined): void {
    this.#refused = why;
  }

  get refused(): StoreError | undefined {
    return this.#refused;
  }

  nextBlock(): number {
    return ++this.#blocks;
  }

  /** Resolves with its number when it is committed. */
  add(row: LedgerRow, handing: Handing): Promise<number> {
    if (this.#refused !== undefined) return Promise.reject(this.#refused);
    if (this.#closing) return Promise.reject(unavailable(this.#ports.db.connection, "the store is closed"));
    if (this.#unsent.size >= mostWaiting) return Promise.reject(this.#outage.why ?? this.#tooSlow());
    // While it is known to be away, what did not happen yet does not happen.
    if (this.isLost && !handing.isFact) return Promise.reject(this.#outage.why);
    this.added++;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiting = { ...handing, row, resolve, reject, since: performance.now(), isTold: false };
    this.#waiting.push(waiting);
    this.#unsent.add(waiting);
    this.#schedule();
    this.#patience ??= setInterval(() => this.#tellThePatient(), 500).unref();
    return promise;
  }

  /** Waits for what is on its way. Rejects where it cannot be written. */
  async close(waitMs = patienceMs): Promise<void> {
    this.#closing = true;
    const deadline = performance.now() + waitMs;
    while (this.#unsent.size > 0 && performance.now() < deadline) {
      this.#schedule();
      await sleep(10);
    }
    clearInterval(this.#patience);
    this.#outage.close();
    const left = [...this.#unsent];
    if (left.length === 0) return;
    const problem = this.#problem ?? this.#tooSlow();
    for (const one of left) this.#tell(one, problem);
    throw new StoreError(
      problem.problem,
      `${plural(left.length, "record")} could not be written. ${problem.message}`,
    );
  }

  /** Everything that came in this turn goes together. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= mostInFlight || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#waiting.length > 0 && this.#inFlight < mostInFlight) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#inFlight++;
    const group = this.#waiting.splice(0, mostRows);
    const number = ++this.#blocks;
    this.#schedule();
    try {
      await this.#send(group, number);
    } catch (error) {
      for (const one of group) this.#tell(one, error as StoreError);
      for (const one of group) this.#forget(one);
    }
    this.#inFlight--;
    this.#schedule();
  }

  async #send(group: readonly Waiting[], writerBlock: number): Promise<void> {
    let left = group;
    /** A statement with this number may have been committed. */
    let maybeSent = false;
    for (let tries = 0; left.length > 0; tries++) {
      try {
        const { firstSeq, count } = await sendBlock(this.#ports, left, { writerBlock, maybeSent });
        this.#outage.end();
        this.#problem = undefined;
        this.lastSeq = Math.max(this.lastSeq, firstSeq + count - 1);
        for (const [index, one] of left.entries()) {
          // An earlier try with more rows: they are all there, not before the first one.
          this.#settle(one, count === left.length ? firstSeq + index : firstSeq);
        }
        this.#ports.onCommit(count);
        return;
      } catch (error) {
        // The first try was committed after all, while we asked.
        if (isTakenTwice(error) && maybeSent) continue;
        if (!mayWorkLater(error)) throw error;
        maybeSent ||= !isNotDone(error);
        if (isAway(error)) this.#outage.begin(error);
        // Somebody has to see to it first. What has happened waits for that; whoever waits for it is told.
        else for (const one of left) this.#tell(one, error as StoreError);
        this.#problem = error as StoreError;
      }
      left = await this.#letGo(left, maybeSent ? writerBlock : undefined);
      if (left.length === 0) return;
      await sleep(Math.min(1_000, 50 * 2 ** tries));
      // Whoever was told meanwhile must not come into the chain by the next try.
      if (!maybeSent) left = await this.#letGo(left, undefined);
    }
  }

  #settle(one: Waiting, seq: number): void {
    this.#forget(one);
    one.resolve(seq);
    if (one.isTold) one.onLate?.(seq);
  }

  #forget(one: Waiting): void {
    this.#unsent.delete(one);
    this.#unsure.delete(one.row);
  }

  /**
   * Whoever was told that it failed has not begun, and some can be kept here; the others keep their places.
   * `writerBlock`: of a statement that may have been committed, so that none may leave it.
   */
  async #letGo(left: readonly Waiting[], writerBlock: number | undefined): Promise<readonly Waiting[]> {
    const leaves = ({ isTold, isFact }: Waiting) => isTold && !isFact;
    if (writerBlock !== undefined && !(left.some(leaves) && (await this.#isAway(writerBlock)))) return left;
    return left.filter((one) => {
      if (leaves(one)) one.onLate?.(undefined);
      else if (writerBlock === undefined && !one.isTold && one.keepHere?.() === true) one.resolve(0);
      else return true;
      this.#forget(one);
      return false;
    });
  }

  /** Not in the chain as far as anybody knows. A statement that still runs is then stopped by its number. */
  async #isAway(writerBlock: number): Promise<boolean> {
    try {
      return (await findBlock(this.#ports, writerBlock)) === undefined;
    } catch {
      return false;
    }
  }

  #tellThePatient(): void {
    if (this.#unsent.size === 0) {
      clearInterval(this.#patience);
      this.#patience = undefined;
      return;
    }
    const oldest = performance.now() - patienceMs;
    for (const one of this.#unsent) {
      if (one.since > oldest) break;
      this.#tell(one, this.#problem ?? unavailable(this.#ports.db.connection, "it does not answer"));
    }
  }

  #tell(one: Waiting, problem: StoreError): void {
    one.isTold = true;
    this.#unsure.add(one.row);
    one.reject(problem);
  }

  #tooSlow(): StoreError {
    const why = `it is too slow, ${mostWaiting} records wait to be written`;
    return unavailable(this.#ports.db.connection, why);
  }
}
