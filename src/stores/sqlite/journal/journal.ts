/**
 * Rows on their way into the ledger: appended to a file of this process, from where the worker takes them in
 * groups, exactly once. What the system has taken survives the death of the process; the chain gets it a
 * moment later. So a call waits for a short write instead of two thread switches and a commit.
 */
import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeOwnFolder } from "../../ledger/spool/own-folder.ts";
import { setAside } from "../../ledger/spool/set-aside.ts";

export function journalFolder(stateFolder: string): string {
  return join(stateFolder, "journal");
}

/** Before rows that are ready but for their time. A line of older versions has no mark and is plain JSON. */
export const intentMark = "i\t";
export const completionMark = "c\t";
/** Before a line that is no record: it was written to see whether it can be. */
export const trialMark = "t\t";

export function journalName(processId: string, part: number): string {
  return `${processId}.${part}.lines`;
}

/** A file that grows beyond this is left to the worker, which removes it, and another one is begun. */
const maxBytes = 1024 * 1024;

/** Once: this is done before every write. */
const quietly = { throwIfNoEntry: false } as const;

interface OpenPart {
  readonly fd: number;
  readonly name: string;
  readonly path: string;
  readonly inode: number;
}

export class Journal {
  readonly #stateFolder: string;
  readonly #processId: string;
  readonly #checkPlace: () => void;
  #open: OpenPart | undefined;
  #part = 0;
  #bytes = 0;

  /** `checkPlace` throws where the state folder is no longer the one that was opened. */
  constructor(stateFolder: string, processId: string, checkPlace: () => void) {
    this.#stateFolder = stateFolder;
    this.#processId = processId;
    this.#checkPlace = checkPlace;
  }

  /** Whole lines. Throws when the disk took only a part: a line without its break is never taken. */
  append(text: string): void {
    const { fd } = this.#usable();
    const written = writeSync(fd, text);
    this.#bytes += written;
    if (written !== Buffer.byteLength(text)) {
      // The next line must not become a part of this one.
      this.#endPart();
      throw Object.assign(new Error("the disk took only a part of the record"), { code: "ENOSPC" });
    }
    if (this.#bytes > maxBytes) this.#endPart();
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
  }

  /** One look at the path tells whether somebody deleted, moved, replaced, cut or wrote to the file. */
  #usable(): OpenPart {
    const open = this.#open;
    if (open === undefined) return this.#beginPart();
    const stat = statSync(open.path, quietly);
    const size = stat?.ino === open.inode ? stat.size : undefined;
    if (size === this.#bytes) return open;
    this.#checkPlace();
    if (size === undefined || size < this.#bytes) this.#tellOfCut(open.name, size);
    // What somebody added is for those who take it; we go on elsewhere.
    this.#endPart();
    return this.#beginPart();
  }

  /** Whoever verifies is to hear that records may be missing. */
  #tellOfCut(name: string, size: number | undefined): void {
    const now = size === undefined ? "is gone" : `has ${size} bytes`;
    const text = `journal/${name} had ${this.#bytes} bytes and ${now}: somebody changed it while its process was running.\n`;
    setAside(this.#stateFolder, `journal/${name}`, size ?? 0, Buffer.from(text));
  }

  #endPart(): void {
    this.close();
    this.#part += 1;
    this.#bytes = 0;
  }

  #beginPart(): OpenPart {
    this.#checkPlace();
    const folder = journalFolder(this.#stateFolder);
    const name = journalName(this.#processId, this.#part);
    const path = join(folder, name);
    makeOwnFolder(folder);
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
    const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, 0o600);
    this.#open = { fd, name, path, inode: fstatSync(fd).ino };
    return this.#open;
  }
}
