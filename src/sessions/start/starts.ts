/** Sessions of each owner that are about to be in the store: many that start at one moment count each other. */
export interface Starts {
  take(owner: string): StartPlace;
}

export interface StartPlace {
  /** How many of the same owner were about to start before. */
  readonly before: number;
  /** It is in the store, or came to nothing. */
  readonly give: () => void;
}

export function createStarts(): Starts {
  const counts = new Map<string, number>();
  return {
    take(owner) {
      const before = counts.get(owner) ?? 0;
      counts.set(owner, before + 1);
      let isGiven = false;
      return {
        before,
        give: () => {
          if (isGiven) return;
          isGiven = true;
          const left = (counts.get(owner) ?? 1) - 1;
          if (left > 0) counts.set(owner, left);
          else counts.delete(owner);
        },
      };
    },
  };
}
