/** When a server that failed may be tried again: at once, then later and later, then not for a while. */

export interface RestartPorts {
  readonly now?: () => number;
  readonly random?: () => number;
}

const firstBackOffMs = 250;
const maxBackOffMs = 5_000;
/** Failures in a row, after which the circuit is open. */
const opensAfter = 5;
const firstPauseMs = 15_000;
const maxPauseMs = 5 * 60_000;

export function createRestarts({ now = () => performance.now(), random = Math.random }: RestartPorts = {}) {
  let failures = 0;
  let notBefore = 0;
  let why: string | undefined;
  // Half to the whole of it, so that many who failed together do not come back together.
  const jittered = (ms: number): number => ms * (0.5 + random() / 2);
  const clear = (): void => {
    failures = 0;
    notBefore = 0;
    why = undefined;
  };
  return {
    /** It did what it is there for. */
    succeeded(): void {
      if (failures > 0) clear();
    },
    failed(reason: string): void {
      why = reason;
      failures++;
      if (failures === 1) return;
      const grows = 2 ** Math.min(failures < opensAfter ? failures - 2 : failures - opensAfter, 20);
      const delayMs =
        failures < opensAfter
          ? Math.min(firstBackOffMs * grows, maxBackOffMs)
          : Math.min(firstPauseMs * grows, maxPauseMs);
      notBefore = now() + jittered(delayMs);
    },
    /** How long nobody may try; 0: now. */
    waitMs: (): number => Math.max(0, notBefore - now()),
    /** Tried so often that calls are refused until the wait is over. */
    isOpen: (): boolean => failures >= opensAfter && notBefore > now(),
    lastError: (): string | undefined => why,
    /** Starts with a clean record. */
    reset: clear,
  };
}
