/** Runs an idempotent tool again after it threw, with growing pauses. No other tool runs twice. */

import type { Clock } from "../../core/ports/ports.ts";
import { onAbort } from "../../core/run/abort.ts";

const firstPauseMs = 100;
const longestPauseMs = 5_000;

export async function withRetries(
  run: () => Promise<unknown>,
  {
    maxRetries,
    signal,
    clock,
  }: { readonly maxRetries: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= maxRetries || signal.aborted) throw error;
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt), signal, clock);
      if (signal.aborted) throw error;
    }
  }
}

function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(ms, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      stopTimer();
      resolve();
    });
  });
}
