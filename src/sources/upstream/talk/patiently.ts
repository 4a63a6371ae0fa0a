/** One caller's wait for something that others wait for, too: the caller may leave or run out of time. */
import { type Cancellable, onAbort } from "../../../core/run/abort.ts";
import type { UpstreamError } from "./connection.ts";

export interface Patience {
  readonly signal: Cancellable | undefined;
  readonly timeoutMs: number;
  readonly late: () => UpstreamError;
  readonly left: () => UpstreamError;
}

/** `begin` is told how to end the wait, and answers what to do when it has ended, in whatever way. */
export function patiently<Value>(
  begin: (resolve: (value: Value) => void, reject: (error: unknown) => void) => (() => void) | undefined,
  { signal, timeoutMs, late, left }: Patience,
): Promise<Value> {
  return new Promise<Value>((resolve, reject) => {
    const ends: (() => void)[] = [];
    const over = (tell: () => void): void => {
      for (const end of ends.splice(0)) end();
      tell();
    };
    const timer = setTimeout(() => over(() => reject(late())), Math.max(1, timeoutMs));
    ends.push(() => clearTimeout(timer));
    const stop = begin(
      (value) => over(() => resolve(value)),
      (error) => over(() => reject(error)),
    );
    if (stop !== undefined) ends.push(stop);
    ends.push(onAbort(signal, () => over(() => reject(left()))));
  });
}
