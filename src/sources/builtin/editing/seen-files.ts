/** What a session has seen of a file last, so that it does not write over what somebody else changed. */

/** Reading tools note what they showed; writing tools compare. */
export interface SeenFiles {
  /** The sha256 that this session saw last; sessions are named by their keys, in which the caller is. */
  hashOf(session: string, absolute: string): string | undefined;
  note(session: string, absolute: string, hash: string): void;
}

const mostNotes = 10_000;

/** In memory; the oldest notes go first, which only means that the check is not made. */
export function createSeenFiles(): SeenFiles {
  const notes = new Map<string, string>();
  const keyOf = (session: string, absolute: string) => JSON.stringify([session, absolute]);
  return {
    hashOf: (session, absolute) => notes.get(keyOf(session, absolute)),
    note: (session, absolute, hash) => {
      const key = keyOf(session, absolute);
      notes.delete(key);
      notes.set(key, hash);
      const oldest = notes.keys().next().value;
      if (notes.size > mostNotes && oldest !== undefined) notes.delete(oldest);
    },
  };
}
