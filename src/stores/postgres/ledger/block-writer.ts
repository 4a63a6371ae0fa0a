/**
 * Rows of this process on their way into the chain. What comes while blocks are being written goes into the next one,
 * so blocks grow with the load. A block whose connection broke is looked for and, if it is not there, sent again: it
 * has a number of its own, so it is in the chain once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { StoreError } from "../../../core/ports/store-error.ts";
import type { LedgerRow } from "../../ledger/row.ts";
import { isConnectionLost, isTakenTwice, unavailable } from "../connect/postgres-error.ts";
import type { Database } from "../database.ts";
import { appendBlock } from "./append-block.ts";

/** Statements at a time. */
const mostInFlight = 2;
const mostRows = 1_000;
/** More than this waits: the database is too slow for what is written. */
const mostWaiting = 16_000;
/** Whoever waits for longer is told that the database cannot be reached. */
const patienceMs = 5_000;

interface Waiting {
  readonly row: LedgerRow;
  /** Written also when nobody waits for it any more: what it tells has happened. */
  readonly isFact: boolean;
  readonly resolve: (seq: number) => void;
  readonly reject: (error: StoreError) => void;
  readonly since: number;
  isTold: boolean;
}

export interface WriterPorts {
  readonly db: Database;
  readonly ledgerId: string;
  readonly writer: string;
  readonly onCommit: (rows: number) => void;
  /** The process lives, and was taken for dead. */
  readonly register: () => Promise<void>;
}

export class BlockWriter {
  readonly #ports: WriterPorts;
  #waiting: Waiting[] = [];
  #blocks = 0;
  #inFlight = 0;
  #scheduled = false;
  #patience: NodeJS.Timeout | undefined;
  #unsent = new Set<Waiting>();
  /** Until when the database could not be reached, and why. */
  #lost: StoreError | undefined;
  #closing = false;
  #refused: StoreError | undefined;
  /** The highest number that this process knows to be written. */
  lastSeq = 0;
  /** How many rows were ever handed in. */
  added = 0;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  /** How many rows are not in the chain yet. */
  get pending(): number {
    return this.#unsent.size;
  }

  /** The database could not be reached when it was last tried, and is being tried now. */
  get isLost(): boolean {
    return this.#lost !== undefined && this.#inFlight > 0;
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
  add(row: LedgerRow, isFact: boolean): Promise<number> {
    if (this.#refused !== undefined) return Promise.reject(this.#refused);
    if (this.#closing) return Promise.reject(unavailable(this.#ports.db.connection, "the store is closed"));
    if (this.#unsent.size >= mostWaiting) return Promise.reject(this.#lost ?? busy(this.#ports.db));
    // While it is known to be away, what did not happen yet does not happen.
    if (this.isLost && !isFact) return Promise.reject(this.#lost);
    this.added++;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const waiting = { row, isFact, resolve, reject, since: performance.now(), isTold: false };
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
    const left = [...this.#unsent];
    if (left.length === 0) return;
    const problem = this.#lost ?? busy(this.#ports.db);
    for (const one of left) this.#tell(one, problem);
    throw new StoreError(problem.problem, `${left.length} records could not be written. ${problem.message}`);
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
      for (const one of group) this.#unsent.delete(one);
    }
    this.#inFlight--;
    this.#schedule();
  }

  async #send(group: readonly Waiting[], writerBlock: number): Promise<void> {
    const { db, ledgerId, writer, onCommit, register } = this.#ports;
    let left = group;
    for (let tries = 0; ; tries++) {
      try {
        const known = tries === 0 ? undefined : await this.#find(writerBlock);
        const rows = left.map(({ row }) => row);
        const { firstSeq, count } = known ?? {
          ...(await appendBlock(db, { ledgerId, writer, writerBlock, rows, register })),
          count: rows.length,
        };
        this.#lost = undefined;
        this.lastSeq = Math.max(this.lastSeq, firstSeq + count - 1);
        for (const [index, one] of left.entries()) {
          this.#unsent.delete(one);
          // An earlier try with more rows: they are all there, not before the first one.
          one.resolve(count === rows.length ? firstSeq + index : firstSeq);
        }
        onCommit(count);
        return;
      } catch (error) {
        // The first try was committed after all, while we asked.
        if (isTakenTwice(error) && tries > 0) continue;
        if (!isConnectionLost(error)) throw error;
        this.#lost = error as StoreError;
      }
      // Whoever was told that it failed has not begun. The others keep their places.
      const dropped = left.filter(({ isTold, isFact }) => isTold && !isFact);
      if (dropped.length > 0 && (await this.#isAway(writerBlock))) {
        for (const one of dropped) this.#unsent.delete(one);
        left = left.filter((one) => !dropped.includes(one));
        if (left.length === 0) return;
      }
      await sleep(Math.min(1_000, 50 * 2 ** tries));
    }
  }

  /** Not in the chain as far as anybody knows. A statement that still runs is then stopped by its number. */
  async #isAway(writerBlock: number): Promise<boolean> {
    try {
      return (await this.#find(writerBlock)) === undefined;
    } catch {
      return false;
    }
  }

  async #find(
    writerBlock: number,
  ): Promise<{ readonly firstSeq: number; readonly count: number } | undefined> {
    const { db, writer } = this.#ports;
    const [row] = await db.query(
      "SELECT first_seq, rows FROM toolgate.ledger_block WHERE writer = $1 AND writer_block = $2",
      [writer, writerBlock],
    );
    return row && { firstSeq: Number(row.first_seq), count: Number(row.rows) };
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
      this.#tell(one, this.#lost ?? unavailable(this.#ports.db.connection, "it does not answer"));
    }
  }

  #tell(one: Waiting, problem: StoreError): void {
    one.isTold = true;
    one.reject(problem);
  }
}

function busy({ connection }: Database): StoreError {
  return new StoreError(
    "busy",
    `The database ${connection.shown} is too slow: ${mostWaiting} records wait to be written. Try again later.`,
  );
}
