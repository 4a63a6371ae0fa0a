/** The main thread's side of the journal: appends, and soon after has the worker take what was appended. */
import type { SqliteClient } from "../open-sqlite.ts";
import { toStoreError } from "../store-error.ts";
import { Journal } from "./journal.ts";
import type { LedgerClient } from "./sqlite-ledger.ts";

/** Long enough for a group, short enough that others who look see it. */
const takeAfterMs = 5;

export class JournalIntake {
  readonly #journal: Journal;
  readonly #area: LedgerClient;
  readonly #client: SqliteClient;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  /** Of the calls that ended in this turn after the first: written together when the turn is over. */
  #lines: string[] = [];
  #written: PromiseWithResolvers<void> | undefined;

  constructor(client: SqliteClient, area: LedgerClient) {
    this.#client = client;
    this.#area = area;
    this.#journal = new Journal(client.stateFolder, client.processId);
  }

  /**
   * Throws or rejects with a StoreError: what cannot be recorded must not succeed. The first call of a turn is written at once; where many end
   * together, one write for all of them costs what one for each would.
   */
  append(line: string): void | Promise<void> {
    const { problem } = this.#client;
    if (problem !== undefined) throw problem;
    if (this.#turn === undefined) {
      this.#write(line);
      this.#turn = setImmediate(() => this.#endTurn());
      return;
    }
    this.#lines.push(line);
    this.#written ??= Promise.withResolvers();
    return this.#written.promise;
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
      this.#write(lines.join("\n"));
      written.resolve();
    } catch (error) {
      written.reject(error);
    }
  }

  #write(lines: string): void {
    try {
      this.#journal.append(lines);
    } catch (error) {
      throw toStoreError(error, this.#client.file);
    }
    // Keeps no process alive: what is left is taken by the next one.
    this.#timer ??= setTimeout(() => void this.#take().catch(() => {}), takeAfterMs).unref();
  }

  /** When it resolves, what was appended before is in the ledger. */
  async settle(): Promise<void> {
    this.#endTurn();
    if (this.#timer !== undefined) await this.#take();
  }

  async #take(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (await this.#area.write("takeJournal", undefined));
  }
}
