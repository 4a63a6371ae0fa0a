/** Lets so many calls run at once; others wait their turn, in order, and no more of them than a bound. */

export interface Turns {
  /** True: the turn was free and is taken. */
  take(): boolean;
  /** Waits for one. `false`: too many wait already. The returned `leave` gives up the place in the queue. */
  wait(onTurn: () => void): { readonly leave: () => void } | false;
  give(): void;
  readonly running: number;
  readonly waiting: number;
}

export function createTurns(maxRunning: number, maxWaiting: number): Turns {
  let running = 0;
  // In the order they came; a set, so that who leaves costs nothing.
  const queue = new Set<() => void>();
  return {
    take() {
      if (running >= maxRunning) return false;
      running++;
      return true;
    },
    wait(onTurn) {
      if (queue.size >= maxWaiting) return false;
      // One function may be given twice.
      const entry = (): void => onTurn();
      queue.add(entry);
      return { leave: () => void queue.delete(entry) };
    },
    give() {
      for (const next of queue) {
        queue.delete(next);
        next();
        return;
      }
      running--;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
  };
}
