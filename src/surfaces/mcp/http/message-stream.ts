/** The messages of one stream to a client, in order, each with an id to come back with; bounded. */
import type { Clock } from "../../../core/ports/ports.ts";
import type { AnswerStream } from "../../http/answer.ts";
import type { Put, Shelved } from "./replay-budget.ts";

export interface StreamBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface KeptStream {
  /** Told what it holds while nobody reads it. */
  readonly put: Put;
  /** For whoever comes back after the answer had to be dropped. */
  readonly lostAnswer?: () => string;
}

export interface WriteRequest {
  readonly out: AnswerStream;
  /** Written from the one after this; 0 is the beginning. */
  readonly after: number;
  /** Aborted: the client is gone, or is to come back later. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly heartbeatMs: number;
  /** Sent first: an id to come back with before anything has happened, and how long to wait until then. */
  readonly prime?: { readonly retryMs: number } | undefined;
  /** Left after this time; the client comes back. */
  readonly maxMs?: number | undefined;
  /** Asked once in every `heartbeatMs`, also while there is much to tell: a token may be taken back. */
  readonly isStillAllowed?: (() => boolean | Promise<boolean>) | undefined;
}

interface StreamEvent {
  readonly seq: number;
  readonly frame: string;
}

export class MessageStream implements Shelved {
  readonly key: string | undefined;
  readonly #bounds: StreamBounds;
  #kept: KeptStream | undefined;
  #events: StreamEvent[] = [];
  #bytes = 0;
  #lastSeq = 0;
  #seen = 0;
  #isEnded = false;
  #isAnswered = false;
  #isLeft = false;
  #wake: (() => void) | undefined;
  #letGo: (() => void) | undefined;

  /** Without a key its messages have no ids, and nobody can come back to them. */
  constructor(key: string | undefined, bounds: StreamBounds, kept?: KeptStream) {
    this.key = key;
    this.#bounds = bounds;
    this.#kept = kept;
  }

  /** Nothing more will be written to it. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Somebody reads it now. */
  get isRead(): boolean {
    return this.#letGo !== undefined;
  }

  /** The last one that was written to anybody. */
  get lastSeen(): number {
    return this.#seen;
  }

  push(json: string): void {
    if (this.#isEnded) return;
    const seq = ++this.#lastSeq;
    const frame = this.#frame(seq, json);
    this.#events.push({ seq, frame });
    this.#bytes += frame.length;
    // The newest is never dropped: it may be the answer.
    while (
      this.#events.length > 1 &&
      (this.#events.length > this.#bounds.maxEvents || this.#bytes > this.#bounds.maxBytes)
    )
      this.#bytes -= this.#events.shift()?.frame.length ?? 0;
    this.#wake?.();
    if (this.#isLeft) this.#count(this.#bytes);
  }

  /** The last message. */
  answer(json: string): void {
    this.#isAnswered = true;
    this.push(json);
    this.end();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  /** Nobody reads it for now: what it holds counts. One that is about to be read was not left. */
  leave(): void {
    this.#isLeft = true;
    this.#count(this.#bytes);
  }

  /** Nobody can come back to it. */
  forget(): void {
    this.#count(0);
    this.#kept = undefined;
  }

  /** Too much is kept for those who do not come back. */
  drop(): void {
    const lost = this.#isAnswered ? this.#kept?.lostAnswer?.() : undefined;
    const seq = this.#lastSeq;
    // An id can be as long as a body.
    const isKept = lost !== undefined && lost.length <= maxLostChars;
    this.#events = isKept ? [{ seq, frame: this.#frame(seq, lost) }] : [];
    this.#bytes = 0;
    if (this.#isAnswered) this.forget();
    else this.#count(0);
  }

  #count(bytes: number): void {
    this.#kept?.put(this, bytes);
  }

  /** JSON has no line breaks of its own, so one `data` line always holds it. */
  #frame(seq: number, json: string): string {
    return this.key === undefined ? `data: ${json}\n\n` : `id: ${this.key}-${seq}\ndata: ${json}\n\n`;
  }

  /**
   * Whoever comes last reads it: a client may come back before it is known that its old connection is dead.
   * True: the stream was read to its end.
   */
  async writeTo(request: WriteRequest): Promise<boolean> {
    const { out, after, signal, clock, heartbeatMs, prime, maxMs, isStillAllowed = always } = request;
    this.#letGo?.();
    let isLetGo = false;
    let isReadToEnd = false;
    const letGo = () => {
      isLetGo = true;
      this.#wake?.();
    };
    this.#letGo = letGo;
    if (this.#isLeft) this.#count(0);
    this.#isLeft = false;
    signal.addEventListener("abort", letGo, { once: true });
    if (signal.aborted) isLetGo = true;
    const stopTimer = maxMs === undefined ? undefined : clock.after(maxMs, letGo);
    if (prime !== undefined && this.key !== undefined && !isLetGo)
      out.write(`id: ${this.key}-${after}\nretry: ${prime.retryMs}\ndata: \n\n`);
    let seen = after;
    let allowedAt = clock.monotonic();
    try {
      while (!isLetGo) {
        if (clock.monotonic() - allowedAt >= heartbeatMs) {
          if (!(await isStillAllowed())) return false;
          allowedAt = clock.monotonic();
        }
        const { text, upTo } = this.#textAfter(seen);
        seen = upTo;
        this.#seen = Math.max(this.#seen, upTo);
        if (text !== "") {
          if (!out.write(text)) await out.drained();
        } else if (this.#isEnded) {
          isReadToEnd = true;
          return true;
        } else if ((await this.#change(clock, heartbeatMs)) === "quiet" && !out.write(": heartbeat\n\n"))
          await out.drained();
      }
      return false;
    } finally {
      stopTimer?.();
      signal.removeEventListener("abort", letGo);
      if (this.#letGo === letGo) {
        this.#letGo = undefined;
        if (!isReadToEnd) this.leave();
      }
    }
  }

  #textAfter(after: number): { readonly text: string; readonly upTo: number } {
    let text = "";
    let upTo = after;
    for (const { seq, frame } of this.#events) {
      if (seq <= after) continue;
      text += frame;
      upTo = seq;
      if (text.length >= pieceChars) break;
    }
    return { text, upTo };
  }

  #change(clock: Clock, heartbeatMs: number): Promise<"change" | "quiet"> {
    return new Promise((resolve) => {
      const done = (why: "change" | "quiet") => {
        this.#wake = undefined;
        stopWaiting();
        resolve(why);
      };
      const stopWaiting = clock.after(heartbeatMs, () => done("quiet"));
      this.#wake = () => done("change");
    });
  }
}

const pieceChars = 64 * 1024;
const maxLostChars = 1_024;

function always(): boolean {
  return true;
}
