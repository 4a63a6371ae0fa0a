/** The server's time. Deadlines are the server's, and the clock of a phone may be minutes off. */

export interface ServerClock {
  now(): number;
  /** Takes the `Date` of an answer into account: whole seconds, sent somewhere between the two times. */
  hear(date: string | null, askedAt: number, answeredAt: number): void;
}

export function createServerClock(here: () => number = Date.now): ServerClock {
  // Server time minus ours lies between these; each answer narrows them.
  let [least, most] = [-Infinity, Infinity];
  return {
    now() {
      const isKnown = Number.isFinite(least) && Number.isFinite(most);
      // A difference of less than a second is what a header in whole seconds leaves open.
      return here() + (!isKnown || (least <= 0 && most >= 0) ? 0 : (least + most) / 2);
    },
    hear(date, askedAt, answeredAt) {
      const second = Date.parse(date ?? "");
      if (!Number.isFinite(second)) return;
      const [low, high] = [second - answeredAt, second + 1_000 - askedAt];
      const fits = low <= most && high >= least;
      // A clock that was set in between: start over.
      least = fits ? Math.max(least, low) : low;
      most = fits ? Math.min(most, high) : high;
    },
  };
}
