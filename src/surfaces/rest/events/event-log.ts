/** The last events of this process, each with an id to come back with; bounded by number and bytes. */
import { Buffer } from "node:buffer";
import type { Json, JsonObject } from "../../../core/input/json.ts";

export interface LoggedEvent {
  readonly seq: number;
  readonly kind: string;
  readonly sessionId: string | undefined;
  readonly data: JsonObject;
  /** About as many bytes as the event takes. */
  readonly size: number;
  /** As it goes over the wire: made when somebody reads it, once for all clients. */
  readonly frame: Buffer;
}

export type Position =
  | { readonly ok: true; readonly after: number }
  /** What came in between is not known any more. */
  | { readonly ok: false; readonly reason: "restarted" | "too_old" };

export interface EventLogOptions {
  /** Names this process: an event id of another process leads nowhere here. */
  readonly process: string;
  readonly maxEvents?: number;
  readonly maxBytes?: number;
}

export class EventLog {
  readonly #process: string;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #listeners = new Set<(event: LoggedEvent) => void>();
  /** Dropped from the front in whole chunks, so that dropping costs nothing per event. */
  #events: LoggedEvent[] = [];
  #start = 0;
  #bytes = 0;
  #lastSeq = 0;

  /** Nobody can have seen an id before somebody has listened: until then events are only counted. */
  #isKept = false;

  constructor({ process, maxEvents = 50_000, maxBytes = 8 * 1024 * 1024 }: EventLogOptions) {
    this.#process = process;
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  /** Somebody listens: what comes from now on is kept, also for when they come back. */
  keep(): void {
    this.#isKept = true;
  }

  append(kind: string, data: JsonObject, sessionId?: string | undefined): void {
    const seq = ++this.#lastSeq;
    if (!this.#isKept) return;
    const id = this.idOf(seq);
    let frame: Buffer | undefined;
    const event: LoggedEvent = {
      seq,
      kind,
      sessionId,
      data,
      size: sizeOf(data),
      get frame() {
        frame ??= toFrame(id, kind, data);
        return frame;
      },
    };
    this.#events.push(event);
    this.#bytes += event.size;
    this.#trim();
    for (const listener of [...this.#listeners]) listener(event);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  idOf(seq: number): string {
    return `${this.#process}-${seq}`;
  }

  /** Where a client goes on that has seen everything up to this id. */
  positionOf(lastEventId: string): Position {
    const dash = lastEventId.lastIndexOf("-");
    const seq = /^\d{1,15}$/.test(lastEventId.slice(dash + 1))
      ? Number(lastEventId.slice(dash + 1))
      : undefined;
    if (seq === undefined || lastEventId.slice(0, dash) !== this.#process || seq > this.#lastSeq)
      return { ok: false, reason: "restarted" };
    return this.holdsAfter(seq) ? { ok: true, after: seq } : { ok: false, reason: "too_old" };
  }

  /** Whether all events after this one are still here. */
  holdsAfter(seq: number): boolean {
    return seq >= this.#firstSeq - 1;
  }

  /** In order, from the one after `seq`. Ask `holdsAfter` first. */
  *after(seq: number): Generator<LoggedEvent> {
    const from = this.#start + Math.max(0, seq + 1 - this.#firstSeq);
    for (let index = from; index < this.#events.length; index++) {
      const event = this.#events[index];
      if (event !== undefined) yield event;
    }
  }

  /** Called after each event. Returns how to stop. */
  onAppend(listener: (event: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #firstSeq(): number {
    return this.#lastSeq - (this.#events.length - this.#start) + 1;
  }

  #trim(): void {
    while (this.#events.length - this.#start > this.#maxEvents || this.#bytes > this.#maxBytes) {
      this.#bytes -= this.#events[this.#start]?.size ?? 0;
      this.#start++;
    }
    if (this.#start > 1_024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }
}

const emptyEventBytes = 128;

function sizeOf(value: Json): number {
  if (typeof value === "string") return value.length + 16;
  if (typeof value !== "object" || value === null) return 16;
  let size = emptyEventBytes;
  for (const key in value) size += sizeOf((value as JsonObject)[key] as Json);
  return size;
}

/** JSON has no line breaks of its own, so one `data` line always holds it. */
export function toFrame(id: string | undefined, kind: string, data: unknown): Buffer {
  return Buffer.from(
    `${id === undefined ? "" : `id: ${id}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`,
  );
}
