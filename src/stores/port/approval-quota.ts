/** How many requests may wait at a desk. */

/** Whoever floods it with questions leaves some places to the others. */
const ofOne = 0.75;

export function quotaOfOne(maxPending: number): number {
  return Math.ceil(ofOne * maxPending);
}
