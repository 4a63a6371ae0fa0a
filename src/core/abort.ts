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

export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}
