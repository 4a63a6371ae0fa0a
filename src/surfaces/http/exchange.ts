/** One request and its answer, from the first look until the connection is free again. */
import type { ServerResponse } from "node:http";
import { Cancellation } from "../../core/abort.ts";
import type { Place } from "./principal-limits.ts";

export class Exchange {
  /** The path of the route that answers. */
  route: string | undefined;
  /** Its place among what its principal does at the same time. */
  place: Place | undefined;
  /** Nothing of the request is left on the connection. */
  bodyIsRead = false;
  /** Where `Exchanges` keeps it; -1 when it does not. */
  position = -1;
  readonly startedAt: number;
  readonly response: ServerResponse;
  #cancellation: Cancellation | undefined;
  #isOver = false;

  constructor(response: ServerResponse, startedAt: number) {
    this.response = response;
    this.startedAt = startedAt;
  }

  /** Made only for those who ask: most requests are over before anybody could cancel them. */
  get cancellation(): Cancellation {
    if (this.#cancellation === undefined) {
      this.#cancellation = new Cancellation();
      if (this.#isOver) this.#cancellation.cancel();
    }
    return this.#cancellation;
  }

  /** The client is gone, or the server cannot wait any longer. */
  cancel(): void {
    this.#isOver = true;
    this.#cancellation?.cancel();
  }

  /** The answer is out, or nobody wants it any more. */
  end(): void {
    this.#isOver = true;
    if (!this.response.writableFinished) this.#cancellation?.cancel();
    this.place?.give();
  }
}

/** All that is under way. A list and no Set, which would keep what it held (see `OpenRequests`). */
export class Exchanges {
  readonly #all: Exchange[] = [];
  readonly #waiting: (() => void)[] = [];

  get size(): number {
    return this.#all.length;
  }

  add(exchange: Exchange): void {
    exchange.position = this.#all.push(exchange) - 1;
  }

  /** The last one takes its position. */
  remove(exchange: Exchange): void {
    const { position } = exchange;
    const last = position === -1 ? undefined : this.#all.pop();
    if (last === undefined) return;
    if (last !== exchange) {
      this.#all[position] = last;
      last.position = position;
    }
    exchange.position = -1;
    if (this.#all.length === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Requests that are still being sent: nothing was done for them, and they could take as long as their sender likes. */
  letGoUnread(): void {
    for (const { bodyIsRead, response } of [...this.#all])
      if (!bodyIsRead && !response.headersSent) response.destroy();
  }

  cancelAll(): void {
    for (const exchange of [...this.#all]) exchange.cancel();
  }

  async whenEmpty(): Promise<void> {
    if (this.#all.length > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
