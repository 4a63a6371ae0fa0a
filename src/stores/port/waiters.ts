/** Calls of this process that wait for an answer: woken by a bell, by their expiry, and now and then. */
import type { ApprovalEnd } from "../../core/call/approval.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { StoreError } from "../../core/ports/store-error.ts";

export interface WaitersPorts {
  readonly clock: Clock;
  readonly listen: (listener: () => void) => () => void;
  /** How these stand; undefined for those that wait still. */
  readonly look: (ids: readonly string[]) => Promise<readonly (readonly [string, ApprovalEnd | undefined])[]>;
  /** If it waits still, and is of this process. */
  readonly expire: (id: string) => Promise<void>;
}

export interface Waiters {
  /** Adding twice gives the same promise. */
  add(id: string, expiresAt: number): Promise<ApprovalEnd>;
  /** Undefined: it was not added, or has ended. */
  of(id: string): Promise<ApprovalEnd> | undefined;
  ids(): readonly string[];
  look(): Promise<void>;
  /** Ends whatever waits still. */
  end(end: ApprovalEnd): void;
}

interface Waiter {
  readonly ended: Promise<ApprovalEnd>;
  readonly resolve: (end: ApprovalEnd) => void;
  readonly reject: (error: unknown) => void;
  stopTimer: () => void;
}

/** A bell can be missed (a network file system, no inotify watches left), so there is also a slow look. */
const safetyLookMs = 1_000;
const withoutBellMs = 100;

export function createWaiters({ clock, listen, look, expire }: WaitersPorts): Waiters {
  const waiters = new Map<string, Waiter>();
  let stopListening: (() => void) | undefined;
  let safety: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;

  function settle(id: string, end: ApprovalEnd): void {
    const waiter = waiters.get(id);
    waiters.delete(id);
    waiter?.stopTimer();
    waiter?.resolve(end);
    if (waiters.size === 0) rest();
  }

  function fail(error: unknown): void {
    const broken = [...waiters.values()];
    waiters.clear();
    rest();
    for (const waiter of broken) {
      waiter.stopTimer();
      waiter.reject(error);
    }
  }

  async function lookOnce(): Promise<void> {
    const ids = [...waiters.keys()];
    if (ids.length === 0) return;
    try {
      for (const [id, end] of await look(ids)) if (end !== undefined) settle(id, end);
    } catch (error) {
      // A database that restarts still has the questions: the next look finds their answers.
      if (isAway(error)) return;
      // No answer can be read any more: the calls that wait must stop, not hang.
      fail(error);
    }
  }

  /** What rings while we look may have changed after we looked. */
  async function lookUntilQuiet(): Promise<void> {
    do {
      lookAgain = false;
      await lookOnce();
    } while (lookAgain);
    looking = undefined;
  }

  function lookSoon(): Promise<void> {
    if (looking === undefined) looking = lookUntilQuiet();
    else lookAgain = true;
    return looking;
  }

  function wake(): void {
    if (stopListening !== undefined) return;
    let everyMs = safetyLookMs;
    try {
      stopListening = listen(() => void lookSoon());
    } catch {
      stopListening = () => {};
      everyMs = withoutBellMs;
    }
    safety = setInterval(() => void lookSoon(), everyMs).unref();
  }

  function rest(): void {
    stopListening?.();
    stopListening = undefined;
    clearInterval(safety);
  }

  /**
   * By the clock that only goes forward: moving the date neither shortens the wait nor makes it longer. A
   * timer can come early by a fraction of a millisecond, and waits no longer than some weeks; then it is set
   * again.
   */
  function expireLater(id: string, waiter: Waiter, deadline: number): void {
    waiter.stopTimer = clock.after(Math.max(1, deadline - clock.monotonic()), () => {
      if (clock.monotonic() < deadline) expireLater(id, waiter, deadline);
      else
        void expire(id).then(lookSoon, (error: unknown) =>
          isAway(error) ? settle(id, { state: "expired" }) : fail(error),
        );
    });
  }

  return {
    add(id, expiresAt) {
      const known = waiters.get(id);
      if (known !== undefined) return known.ended;
      const { promise, resolve, reject } = Promise.withResolvers<ApprovalEnd>();
      // Whoever waits hears of it; that nobody waits yet is no crash.
      promise.catch(() => {});
      const waiter: Waiter = { ended: promise, resolve, reject, stopTimer: () => {} };
      waiters.set(id, waiter);
      expireLater(id, waiter, clock.monotonic() + expiresAt - clock.now());
      wake();
      return promise;
    },
    of: (id) => waiters.get(id)?.ended,
    ids: () => [...waiters.keys()],
    look: lookSoon,
    end(end) {
      for (const id of [...waiters.keys()]) settle(id, end);
      rest();
    },
  };
}

function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.problem === "unavailable";
}
