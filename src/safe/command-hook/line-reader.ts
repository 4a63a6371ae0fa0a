/** Makes lines of the chunks that a process prints, and bounds how long one may be. */

export interface LineListener {
  line(text: string): void;
  /** Once; the rest of that line is dropped. */
  tooLong(): void;
}

export class LineReader {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      from = at + 1;
      if (!this.#skipping) this.#listener.line(Buffer.concat(this.#parts).toString("utf8").trim());
      this.#skipping = false;
      this.#parts = [];
      this.#bytes = 0;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#skipping = true;
      this.#parts = [];
      this.#listener.tooLong();
    } else this.#parts.push(part);
  }
}

const newline = 0x0a;
