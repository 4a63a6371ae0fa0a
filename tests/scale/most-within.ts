/** When something happened that is known to lie between two moments. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The most that one window surely holds: those that began and ended in it. */
export function mostSpansWithin(spans: readonly Span[], windowMs: number): number {
  const sorted = spans.toSorted((one, two) => one.from - two.from);
  let most = 0;
  for (const [first, { from: start }] of sorted.entries()) {
    let inside = 0;
    for (let index = first; index < sorted.length; index++) {
      const { from, to } = sorted[index] as Span;
      if (from - start >= windowMs) break;
      if (to - start < windowMs) inside++;
    }
    most = Math.max(most, inside);
  }
  return most;
}

/** The most that one window of this length holds, wherever it begins. */
export function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = times.toSorted((one, two) => one - two);
  let most = 0;
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while ((sorted[last] as number) - (sorted[first] as number) >= windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
