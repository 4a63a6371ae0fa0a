/** The main thread's side of the journal: appends, and soon after has the worker take what was appended. */
import type { SqliteClient } from "../open-sqlite.ts";
import { toStoreError } from "../store-error.ts";
import { Journal } from "./journal.ts";
import type { LedgerClient } from "./sqlite-ledger.ts";

/** Long enough for a group, short enough that others who look see it. */
const takeAfterMs = 5;
/** After it could not be taken. A call that would begin tries at once. */
const tryAgainMs = 1_000;
/** Where so many wait already, there is no need to wait for more. */
const enoughForGroup = 64;
/** With more lines than this on their way no call starts: the worker must not fall behind without end. */
const maxUntaken = 4_000;

export class JournalIntake {
  readonly #journal: Journal;
  readonly #area: LedgerClient;
  readonly #client: SqliteClient;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  /** Of the calls that ended in this turn after the first: written together when the turn is over. */
  #lines: string[] = [];
  #written: PromiseWithResolvers<void> | undefined;
  #taking: Promise<void> | undefined;
  #untaken = 0;
  /** The last try to take it failed. */
  #isStuck = false;

  constructor(client: SqliteClient, area: LedgerClient) {
    this.#client = client;
    this.#area = area;
    this.#journal = new Journal(client.stateFolder, client.processId);
    // The worker takes the journal for the last time when it is told to close.
    client.beforeClose(() => this.#endTurn());
  }

  /**
   * Throws or rejects with a StoreError: what cannot be recorded must not succeed. The first call of a turn is written at once; where many end
   * together, one write for all of them costs what one for each would.
   */
  append(line: string): void | Promise<void> {
    const { problem } = this.#client;
    if (problem !== undefined) throw problem;
    if (this.#turn === undefined) {
      this.#write(line, 1);
      this.#turn = setImmediate(() => this.#endTurn());
      return;
    }
    this.#lines.push(line);
    this.#written ??= Promise.withResolvers();
    return this.#written.promise;
  }

  /** For a call that must not start without it. Where the worker could not take what was there, it has to before anything else begins. */
  async begin(line: string): Promise<void> {
    if (this.#isStuck || this.#untaken > maxUntaken) await this.settle();
    await this.append(line);
  }

  /** When it resolves, what was appended before is in the ledger. */
  async settle(): Promise<void> {
    this.#endTurn();
    // What is under way may have begun before the last line was there.
    await this.#taking?.catch(() => {});
    if (this.#untaken > 0) await this.#take();
  }

  #endTurn(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const lines = this.#lines;
    const written = this.#written;
    if (written === undefined) return;
    this.#lines = [];
    this.#written = undefined;
    try {
      this.#write(lines.join("\n"), lines.length);
      written.resolve();
    } catch (error) {
      written.reject(error);
    }
  }

  #write(lines: string, count: number): void {
    try {
      this.#journal.append(lines);
    } catch (error) {
      throw toStoreError(error, this.#client.file);
    }
    this.#untaken += count;
    if (this.#taking === undefined) this.#takeSoon();
  }

  /** Keeps no process alive: what is left is taken by the next one. */
  #takeSoon(afterMs = takeAfterMs): void {
    this.#timer ??= setTimeout(() => void this.#take().catch(() => {}), afterMs).unref();
  }

  #take(): Promise<void> {
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
      if (this.#client.problem === undefined && this.#untaken > 0) this.#goOn();
    });
    return this.#taking;
  }

  /** With what came meanwhile. */
  #goOn(): void {
    if (this.#isStuck) this.#takeSoon(tryAgainMs);
    else if (this.#untaken > enoughForGroup) void this.#take().catch(() => {});
    else this.#takeSoon();
  }

  async #takeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      for (;;) {
        const before = this.#untaken;
        const more = await this.#area.write("takeJournal", undefined);
        if (more) continue;
        this.#untaken -= before;
        this.#isStuck = false;
        return;
      }
    } catch (error) {
      this.#isStuck = true;
      throw error;
    }
  }
}
