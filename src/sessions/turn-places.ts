/** How many turns run at the same time on this machine; whoever comes later waits in line. */
export interface TurnPlaces {
  /** Resolves with how to give the place back. Rejects when the signal aborts first. */
  readonly take: (signal: AbortSignal) => Promise<() => void>;
}

export function createTurnPlaces(max: number): TurnPlaces {
  const line: { readonly start: () => void }[] = [];
  let taken = 0;
  const give = () => {
    taken--;
    line.shift()?.start();
  };
  const place = () => {
    taken++;
    let isGiven = false;
    return () => {
      if (!isGiven) give();
      isGiven = true;
    };
  };
  return {
    take: (signal) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (taken < max) return Promise.resolve(place());
      return new Promise((resolve, reject) => {
        const waiter = {
          start: () => {
            signal.removeEventListener("abort", leave);
            resolve(place());
          },
        };
        const leave = () => {
          const at = line.indexOf(waiter);
          if (at >= 0) line.splice(at, 1);
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        line.push(waiter);
      });
    },
  };
}
