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

  constructor(client: SqliteClient, area: LedgerClient) {
    this.#client = client;
    this.#area = area;
    this.#journal = new Journal(client.stateFolder, client.processId);
  }

  /** Throws a StoreError: what cannot be recorded must not succeed. */
  append(line: string): void {
    const { problem } = this.#client;
    if (problem !== undefined) throw problem;
    try {
      this.#journal.append(line);
    } catch (error) {
      throw toStoreError(error, this.#client.file);
    }
    // Keeps no process alive: what is left is taken by the next one.
    this.#timer ??= setTimeout(() => void this.#take().catch(() => {}), takeAfterMs).unref();
  }

  /** When it resolves, what was appended before is in the ledger. */
  async settle(): Promise<void> {
    if (this.#timer !== undefined) await this.#take();
  }

  async #take(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (await this.#area.write("takeJournal", undefined));
  }
}
