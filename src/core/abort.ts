/** Waiting that ends when the caller cancels. */

/** Runs at once if already aborted. Returns how to stop listening. */
export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    run();
    return () => {};
  }
  signal.addEventListener("abort", run, { once: true });
  return () => signal.removeEventListener("abort", run);
}

/** For what our own code made. */
export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return value instanceof Promise;
}

/** For what foreign code gave: anything with a `then`, made into a real promise, because its own may throw, lie or call back twice. */
export function asPromise<Value>(value: Value | PromiseLike<Value>): Promise<Value> | undefined {
  if (value instanceof Promise) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return typeof (value as { then?: unknown }).then === "function" ? Promise.resolve(value) : undefined;
}
