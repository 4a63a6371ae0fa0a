/** Whether the database is known to be away: found by whoever writes, ended by a look every half second. */
import type { StoreError } from "../../../core/ports/store-error.ts";
import { isAway } from "../connect/postgres-error.ts";
import type { Database } from "../database.ts";

const lookMs = 500;
/** A server that only reads refuses it all the same. */
const changesNothing = "UPDATE toolgate.nodes SET seen = seen WHERE false";

export class Outage {
  readonly #db: Database;
  readonly #onBack: () => void;
  #why: StoreError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(db: Database, onBack: () => void) {
    this.#db = db;
    this.#onBack = onBack;
  }

  /** Undefined: as far as anybody knows it is there. */
  get why(): StoreError | undefined {
    return this.#why;
  }

  begin(error: unknown): void {
    this.#why = error as StoreError;
    this.#timer ??= setInterval(() => void this.#look(), lookMs).unref();
  }

  end(): void {
    if (this.#why === undefined) return;
    this.close();
    this.#why = undefined;
    this.#onBack();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#db.run(changesNothing);
      this.end();
    } catch (error) {
      if (!isAway(error)) this.end();
    } finally {
      this.#isLooking = false;
    }
  }
}
