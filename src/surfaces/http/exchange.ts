/** One request and its answer, from the first look until the connection is free again. */
import type { ServerResponse } from "node:http";
import { Cancellation } from "../../core/run/abort.ts";
import { IndexedList } from "../../core/run/indexed-list.ts";
import type { Place } from "./caller-limits.ts";

export class Exchange {
  /** The path of the route that answers. */
  route: string | undefined;
  /** The client has shown a valid token. */
  hadToken = false;
  /** Nothing of the request is left on the connection. */
  bodyIsRead = false;
  /** The place in the list of open exchanges. */
  position = -1;
  readonly startedAt: number;
  readonly response: ServerResponse;
  #cancellation: Cancellation | undefined;
  #place: Place | undefined;
  /** How many need the place: the connection, and work that goes on without it. */
  #needs = 1;
  #isOver = false;
  #hasEnded = false;

  constructor(response: ServerResponse, startedAt: number) {
    this.response = response;
    this.startedAt = startedAt;
  }

  /** Made when it is first asked for: most requests end before anybody could cancel them. */
  get cancellation(): Cancellation {
    if (this.#cancellation === undefined) {
      this.#cancellation = new Cancellation();
      if (this.#isOver) this.#cancellation.cancel();
    }
    return this.#cancellation;
  }

  /** Its place among what its caller does at the same time. */
  get place(): Place | undefined {
    return this.#place;
  }

  /** A client that left while it was let in needs no place. */
  set place(place: Place | undefined) {
    this.#place = place;
    if (this.#needs === 0) place?.give();
  }

  /** The connection is free again: nobody is there to be answered. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The work goes on when the connection is gone, and keeps its place until the returned call. */
  holdPlace(): () => void {
    this.#needs++;
    let isHeld = true;
    return () => {
      if (isHeld) this.#needLess();
      isHeld = false;
    };
  }

  /** The client is gone, or the server cannot wait any longer. */
  cancel(): void {
    this.#isOver = true;
    this.#cancellation?.cancel();
  }

  /** The answer is out, or nobody wants it any more. */
  end(): void {
    this.#isOver = true;
    this.#hasEnded = true;
    if (!this.response.writableFinished) this.#cancellation?.cancel();
    this.#needLess();
  }

  #needLess(): void {
    if (--this.#needs === 0) this.#place?.give();
  }
}

/** All open exchanges. */
export class Exchanges {
  readonly #open = new IndexedList<Exchange>();
  readonly #waiting: (() => void)[] = [];

  get size(): number {
    return this.#open.size;
  }

  add(exchange: Exchange): void {
    this.#open.add(exchange);
  }

  remove(exchange: Exchange): void {
    this.#open.remove(exchange);
    if (this.#open.size === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Requests that are still being sent: nothing was done for them, and they may take for ever. */
  letGoUnread(): void {
    for (const { bodyIsRead, response } of this.#open.all())
      if (!bodyIsRead && !response.headersSent) response.destroy();
  }

  cancelAll(): void {
    for (const exchange of this.#open.all()) exchange.cancel();
  }

  async whenEmpty(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
