/** Cuts a file that arrives in pieces into blocks of whole lines, as UTF-8. Holds at most one long line. */

export type Encoding = "utf-8" | "utf-8 with BOM" | "utf-16le" | "utf-16be";

export interface TextBlock {
  /** Whole lines with their line feeds; the last line may lack one. Valid until the reader returns. */
  readonly bytes: Buffer;
  /** The block is the beginning of one line that is too long to be held; its rest is dropped. */
  readonly cut: boolean;
}

/** `false`: the reader has seen enough. */
export type TakeBlock = (block: TextBlock) => boolean | undefined;

export const maxLineBytes = 1024 * 1024;
const lineFeed = 0x0a;

export class TextBlocks {
  readonly #take: TakeBlock;
  #encoding: Encoding | undefined;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The rest of a line that was cut is skipped. */
  #skipping = false;

  constructor(take: TakeBlock) {
    this.#take = take;
  }

  get encoding(): Encoding {
    return this.#encoding ?? "utf-8";
  }

  /** The next piece of the file; it may be reused afterwards. */
  piece(piece: Buffer): boolean | undefined {
    if (this.#encoding !== undefined) return this.#add(this.#toUtf8(piece));
    this.#encoding = encodingOf(piece);
    if (this.#encoding.startsWith("utf-16"))
      this.#decoder = new TextDecoder(this.#encoding, { ignoreBOM: false });
    return this.#add(this.#toUtf8(this.#encoding === "utf-8 with BOM" ? piece.subarray(3) : piece));
  }

  end(): void {
    const rest = this.#decoder === undefined ? undefined : Buffer.from(this.#decoder.decode());
    if (rest !== undefined && rest.length > 0 && this.#add(rest) === false) return;
    if (this.#waitingBytes > 0) this.#emit(this.#takeWaiting(), false);
  }

  #toUtf8(piece: Buffer): Buffer {
    return this.#decoder === undefined ? piece : Buffer.from(this.#decoder.decode(piece, { stream: true }));
  }

  #add(bytes: Buffer): boolean | undefined {
    let from = 0;
    if (this.#skipping) {
      const end = bytes.indexOf(lineFeed);
      if (end === -1) return undefined;
      this.#skipping = false;
      from = end + 1;
    }
    const last = bytes.lastIndexOf(lineFeed);
    if (last >= from) {
      const lines = bytes.subarray(from, last + 1);
      const block = this.#waitingBytes === 0 ? lines : Buffer.concat([...this.#waiting, lines]);
      this.#takeWaiting();
      if (this.#emit(block, false) === false) return false;
      from = last + 1;
    }
    return this.#keep(bytes.subarray(from));
  }

  #keep(bytes: Buffer): boolean | undefined {
    if (bytes.length === 0) return undefined;
    this.#waiting.push(Buffer.from(bytes));
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes <= maxLineBytes) return undefined;
    this.#skipping = true;
    return this.#emit(this.#takeWaiting(), true);
  }

  #takeWaiting(): Buffer {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    return bytes;
  }

  #emit(bytes: Buffer, cut: boolean): boolean | undefined {
    return this.#take({ bytes, cut });
  }
}

function encodingOf(start: Buffer): Encoding {
  const [first, second, third] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8 with BOM";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}
