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
    const find = (from: number): number =>
      typeof chunk === "string" ? chunk.indexOf(this.#lineEnd, from) : chunk.indexOf(this.#lineByte, from);
    let from = 0;
    for (let at = find(0); at !== -1; at = find(from)) {
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
    const [parts, isWhole] = [this.#parts, this.#length <= this.#most];
    this.#parts = [];
    this.#length = 0;
    if (isWhole) this.#listener.line(joined(parts));
  }
}

function joined(parts: readonly (Buffer | string)[]): string {
  const bytes = parts.filter((part) => typeof part !== "string");
  return bytes.length === 0 ? parts.join("") : Buffer.concat(bytes).toString("utf8");
}
