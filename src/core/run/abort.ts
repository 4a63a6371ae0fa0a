/** Waiting that ends when the caller cancels. */

/**
 * Whether somebody still waits. An AbortSignal and listening to it costs as much as several stages of the
 * walk; a real one is made only for code that needs it.
 */
export class Cancellation {
  /** Most have one listener, or none. */
  #listener: CancelListener | undefined;
  #others: CancelListener[] | undefined;
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  cancel(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const first = this.#listener;
    const others = this.#others ?? [];
    this.#listener = undefined;
    this.#others = undefined;
    first?.handleEvent();
    for (const other of others) other.handleEvent();
    this.#controller?.abort(reason);
  }

  /** Only while nothing is cancelled; see `listenTo`. */
  add(listener: CancelListener): void {
    if (this.#listener === undefined) this.#listener = listener;
    else this.#others = [...(this.#others ?? []), listener];
  }

  remove(listener: CancelListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others = this.#others?.filter((other) => other !== listener);
  }
}

/** Told once. An object, because whoever listens often is one already; named as an AbortSignal calls it. */
export interface CancelListener {
  handleEvent(): void;
}

export type Cancellable = AbortSignal | Cancellation;

/** For foreign code, which knows AbortSignals only. */
export function signalOf(cancellable: Cancellable | undefined): AbortSignal {
  if (cancellable instanceof Cancellation) return cancellable.signal;
  return cancellable ?? new AbortController().signal;
}

/** Told at once if already aborted. */
export function listenTo(signal: Cancellable, listener: CancelListener): void {
  if (signal.aborted) listener.handleEvent();
  else if (signal instanceof Cancellation) signal.add(listener);
  else signal.addEventListener("abort", listener, { once: true });
}

export function stopListening(signal: Cancellable, listener: CancelListener): void {
  if (signal instanceof Cancellation) signal.remove(listener);
  else signal.removeEventListener("abort", listener);
}

/** Runs at once if already aborted. Returns how to stop listening. */
export function onAbort(signal: Cancellable | undefined, run: () => void): () => void {
  if (signal === undefined) return () => {};
  const listener = { handleEvent: run };
  listenTo(signal, listener);
  return () => stopListening(signal, listener);
}

/** For what our own code made. */
export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/** For what foreign code gave: anything with a `then` becomes a real promise, as its own may throw or lie. */
export function asPromise<Value>(value: Value | PromiseLike<Value>): Promise<Value> | undefined {
  if (value instanceof Promise) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return typeof (value as { then?: unknown }).then === "function" ? Promise.resolve(value) : undefined;
}
