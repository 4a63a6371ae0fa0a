/** Whether the store's file still is where it was opened: what goes to a deleted file is lost. */
import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../core/ports/store-error.ts";

export class StorePlace {
  readonly #file: string;
  readonly #opened: Stats | undefined;

  /** Right after the file was opened. */
  constructor(file: string) {
    this.#file = file;
    this.#opened = look(file);
  }

  /** Throws a StoreError when the file is gone or another one is in its place, until the old one is back. */
  check(): void {
    const now = look(this.#file);
    if (now !== undefined && now.ino === this.#opened?.ino && now.dev === this.#opened.dev) return;
    throw new StoreError(
      "gone",
      `The state folder ${dirname(this.#file)} was deleted or replaced while toolgate uses it. Nothing runs without a record: put it back, or end this toolgate and start it again.`,
    );
  }
}

function look(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
