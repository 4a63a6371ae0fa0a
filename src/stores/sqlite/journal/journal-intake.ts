/** The main thread's side of the journal: appends, and soon after has the worker take what was appended. */
import { BatchedWriter } from "../../../core/run/batched-writer.ts";
import { frameLine } from "../../ledger/spool/frames.ts";
import type { LedgerClient } from "../ledger/sqlite-ledger.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import { hasRoom, toStoreError } from "../store-error.ts";
import { Journal, trialMark } from "./journal.ts";

/** So long nothing must have been written: taking lines costs as much as a call, and would slow a burst. */
const quietMs = 50;
/** So long the first of them waits at most: others who look are to see it. */
const takeAfterMs = 500;
/** After it could not be taken. A call that would begin tries at once. */
const tryAgainMs = 1_000;
/** Where so many wait already, there is no need to wait for more. */
const enough = 20_000;
/** The same while calls begin that write or execute: they wait for the worker when it falls behind. */
const enoughWithIntents = 500;
/** With more lines than this on their way no call starts: the worker must not fall behind without end. */
const maxUntaken = 16_000;
/** The next is asked for while the worker is at one, so that it never waits for us. */
const mostAsked = 2;

/** As long as the records of most calls are together. */
const trial = `${trialMark}${" ".repeat(2_000)}`;

interface Waiter {
  /** How many lines must be in the ledger. */
  readonly lines: number;
  readonly reached: () => void;
  readonly failed: (error: unknown) => void;
}

export class JournalIntake {
  readonly #journal: Journal;
  readonly #area: LedgerClient;
  readonly #client: SqliteClient;
  #timer: NodeJS.Timeout | undefined;
  readonly #together = new BatchedWriter((lines, count) => this.#writeTogether(lines, count), {
    isAwaited: false,
  });
  /** For the calls whose lines wait. */
  #whenWritten: PromiseWithResolvers<void> | undefined;
  /** Lines since the store was opened: in the file, asked for, and known to be in the ledger. */
  #written = 0;
  #askedFor = 0;
  #taken = 0;
  /** The worker goes on until it has taken so many, piece by piece: other processes can write in between. */
  #goal = 0;
  /** When the first line was written that nobody was asked to take; how many lines the last look saw. */
  #since = 0;
  #seen = 0;
  /** How many times the worker was asked and has not answered yet. */
  #asked = 0;
  #waiters: Waiter[] = [];
  /** The last try to take it failed. */
  #isStuck = false;
  /** The last try to write to it failed. */
  #isRefused = false;

  constructor(client: SqliteClient, area: LedgerClient) {
    this.#client = client;
    this.#area = area;
    this.#journal = new Journal(client.stateFolder, client.processId, () => client.checkPlace());
    // The worker takes the journal for the last time when it is told to close.
    client.beforeClose(() => this.#together.flush());
  }

  /**
   * Throws or rejects with a StoreError: what cannot be recorded must not succeed. Where calls end one in a
   * turn, the next is written at once; where many end together, one write for all of them costs what one for
   * each would.
   */
  append(line: string): void | Promise<void> {
    const { problem } = this.#client;
    if (problem !== undefined) throw problem;
    if (this.#together.add(frameLine(line))) return;
    this.#whenWritten ??= Promise.withResolvers();
    return this.#whenWritten.promise;
  }

  /**
   * For a call that must not start without it. A worker that was stuck has to take what is there first. One that
   * is behind has to take one piece: beside others who write, waiting for half of it would take seconds.
   */
  async begin(line: string): Promise<void> {
    if (this.#isStuck) await this.settle();
    else if (this.#written - this.#taken > maxUntaken) await this.#reach(this.#written - maxUntaken);
    await this.append(line);
    if (this.#written - this.#askedFor > enoughWithIntents) this.#take();
  }

  /** When it resolves, what was appended before is in the ledger. */
  async settle(): Promise<void> {
    this.#together.flush();
    if (this.#written > this.#taken) await this.#reach(this.#written);
  }

  /** Rejects with why a call would be refused now. Nothing is written where nothing speaks for it. */
  async tryOut(): Promise<void> {
    const { problem } = this.#client;
    if (problem !== undefined) throw problem;
    this.#client.checkPlace();
    if (!this.#isStuck && !this.#isRefused && hasRoom(this.#client.file)) return;
    this.#together.flush();
    this.#write(`${frameLine(trial)}\n`, 1);
    await this.settle();
    await this.#area.write("tryOut", undefined);
  }

  #writeTogether(lines: string, count: number): void {
    const waiting = this.#whenWritten;
    this.#whenWritten = undefined;
    try {
      this.#write(lines, count);
      waiting?.resolve();
    } catch (error) {
      if (waiting === undefined) throw error;
      waiting.reject(error);
    }
  }

  #write(lines: string, count: number): void {
    try {
      this.#journal.append(lines);
      this.#isRefused = false;
    } catch (error) {
      this.#isRefused = true;
      throw toStoreError(error, this.#client.file);
    }
    this.#written += count;
    if (this.#written - this.#askedFor > enough && !this.#isStuck) this.#take();
    else if (this.#asked === 0 && this.#timer === undefined) this.#takeSoon();
  }

  #reach(lines: number): Promise<void> {
    return new Promise((reached, failed) => {
      this.#waiters.push({ lines, reached, failed });
      this.#take();
    });
  }

  #takeSoon(): void {
    this.#since = performance.now();
    this.#lookAfter(quietMs);
  }

  /** Keeps no process alive: what is left is taken by the next one. */
  #lookAfter(ms: number): void {
    this.#seen = this.#written;
    this.#timer ??= setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const isQuiet = this.#written === this.#seen;
    if (isQuiet || this.#isStuck || performance.now() - this.#since >= takeAfterMs) this.#take();
    else this.#lookAfter(quietMs);
  }

  #take(): void {
    if (this.#asked < mostAsked) void this.#ask();
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked += 1;
    const askedFor = this.#written;
    this.#askedFor = askedFor;
    if (this.#taken >= this.#goal) this.#goal = askedFor;
    try {
      const { lines, more } = await this.#area.write("takeJournal", undefined);
      // Rather too few than too many: the worker takes some also by itself.
      if (more) this.#taken += lines;
      else this.#taken = Math.max(this.#taken, askedFor);
      this.#isStuck = false;
      this.#wake();
    } catch (error) {
      this.#isStuck = true;
      for (const { failed } of this.#waiters.splice(0)) failed(error);
    }
    this.#asked -= 1;
    this.#goOn();
  }

  #wake(): void {
    const waiters = this.#waiters;
    if (waiters.length === 0) return;
    this.#waiters = waiters.filter(({ lines }) => lines > this.#taken);
    for (const { lines, reached } of waiters) if (lines <= this.#taken) reached();
  }

  /** With what came meanwhile. */
  #goOn(): void {
    if (this.#client.problem !== undefined || this.#asked > 0 || this.#written <= this.#taken) return;
    if (this.#isStuck) this.#lookAfter(tryAgainMs);
    else if (this.#waiters.length > 0 || this.#taken < this.#goal || this.#written - this.#taken > enough)
      this.#take();
    else this.#takeSoon();
  }
}
