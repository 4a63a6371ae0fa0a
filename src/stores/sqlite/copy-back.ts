/**
 * SQLite writes to a log first and copies it back into the database later. By default whoever makes the log
 * long has to copy, in the middle of the work; here it is done when nobody has written for a moment, and
 * before that only if the log has become very long.
 */
import type { DatabaseSync } from "node:sqlite";

/** In pages: 64 MB. After a crash the next process reads all of it once, which takes a tenth of a second. */
export const longLog = 8_000;
const quietMs = 250;

export class CopyBack {
  readonly #database: DatabaseSync;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Something was committed. */
  later(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#now(), quietMs);
    else this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #now(): void {
    this.#timer = undefined;
    try {
      // Passive: waits for nobody and stops nobody; what it could not copy is copied next time.
      this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // The log holds everything, and the next writer is told what is wrong.
    }
  }
}
