/** Makes lines of the chunks of a stream. However long the stream, it keeps one line, and that is bounded. */

export interface LineListener {
  /** Without its end. */
  line(text: string): void;
  /** Once for a line that is too long; the rest of that line is dropped. */
  tooLong(): void;
}

/** Of bytes the bytes are counted, of text the characters. All chunks of a stream are of one kind. */
export class LineReader {
  readonly #most: number;
  readonly #listener: LineListener;
  readonly #lineEnd: string;
  readonly #lineByte: number;
  #parts: (Buffer | string)[] = [];
  #length = 0;

  constructor(most: number, listener: LineListener, lineEnd = "\n") {
    this.#most = most;
    this.#listener = listener;
    this.#lineEnd = lineEnd;
    this.#lineByte = lineEnd.charCodeAt(0);
  }

  take(chunk: Buffer | string): void {
    let from = 0;
    for (let at = this.#find(chunk, 0); at !== -1; at = this.#find(chunk, from)) {
      this.#add(chunk, from, at);
      from = at + 1;
      this.#finish();
    }
    this.#add(chunk, from, chunk.length);
  }

  /** The stream has ended: what stands behind the last line end is a line, too. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #find(chunk: Buffer | string, from: number): number {
    return typeof chunk === "string"
      ? chunk.indexOf(this.#lineEnd, from)
      : chunk.indexOf(this.#lineByte, from);
  }

  #add(chunk: Buffer | string, from: number, to: number): void {
    if (this.#length > this.#most || from === to) return;
    this.#length += to - from;
    if (this.#length <= this.#most)
      this.#parts.push(typeof chunk === "string" ? chunk.slice(from, to) : chunk.subarray(from, to));
    else {
      this.#parts = [];
      this.#listener.tooLong();
    }
  }

  #finish(): void {
    const parts = this.#parts;
    const isWhole = this.#length <= this.#most;
    this.#parts = [];
    this.#length = 0;
    if (isWhole) this.#listener.line(joined(parts));
  }
}

function joined(parts: readonly (Buffer | string)[]): string {
  // Nearly every line comes in one piece, which need not be copied.
  if (parts.length === 1) return String(parts[0]);
  const bytes = parts.filter((part) => typeof part !== "string");
  return bytes.length === 0 ? parts.join("") : Buffer.concat(bytes).toString("utf8");
}
