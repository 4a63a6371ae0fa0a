/** Lets several waiters sleep until something happens. */
import { onAbort } from "../../../core/run/abort.ts";

export interface WakeUp {
  wake(): void;
  /** Resolves at the next `wake`, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void>;
}

export function createWakeUp(): WakeUp {
  const sleeping = new Set<() => void>();
  return {
    wake() {
      for (const go of [...sleeping]) go();
    },
    next: (signal) =>
      new Promise((resolve) => {
        let stopListening: (() => void) | undefined;
        const go = (): void => {
          sleeping.delete(go);
          stopListening?.();
          resolve();
        };
        sleeping.add(go);
        stopListening = onAbort(signal, go);
      }),
  };
}
