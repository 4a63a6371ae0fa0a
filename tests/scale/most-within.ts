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
