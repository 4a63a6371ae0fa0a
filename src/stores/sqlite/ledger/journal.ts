/**
 * Rows on their way into the ledger: appended to a file of this process, from where the worker takes them in groups, exactly once. What the
 * system has taken survives the death of the process; the chain gets it a moment later. So a call waits for a short write instead of two
 * thread switches and a commit.
 */
import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export function journalFolder(stateFolder: string): string {
  return join(stateFolder, "journal");
}

/** Before rows that are ready but for their time. A line without a mark, from older versions: the facts of a call that had no intent, as JSON. */
export const intentMark = "i\t";
export const completionMark = "c\t";

export function journalName(processId: string, part: number): string {
  return `${processId}.${part}.lines`;
}

/** A file that grows beyond this is left to the worker, which removes it, and another one is begun. */
const maxBytes = 1024 * 1024;

export class Journal {
  readonly #stateFolder: string;
  readonly #processId: string;
  #fd: number | undefined;
  #part = 0;
  #bytes = 0;

  constructor(stateFolder: string, processId: string) {
    this.#stateFolder = stateFolder;
    this.#processId = processId;
  }

  /** Lines with their line breaks. Throws when they are not there as a whole: one without its break was never acknowledged, and is not taken. */
  append(text: string): void {
    const fd = this.#fd ?? this.#open();
    const written = writeSync(fd, text);
    this.#bytes += written;
    if (written !== Buffer.byteLength(text)) {
      // The next line must not become a part of this one.
      this.#begin();
      throw Object.assign(new Error("the disk took only a part of the record"), { code: "ENOSPC" });
    }
    if (this.#bytes > maxBytes) this.#begin();
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #begin(): void {
    this.close();
    this.#part += 1;
    this.#bytes = 0;
  }

  #open(): number {
    const folder = journalFolder(this.#stateFolder);
    const file = join(folder, journalName(this.#processId, this.#part));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
    this.#fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0o600);
    return this.#fd;
  }
}
