/** Milliseconds on a clock that never goes back. */
import { hrtime } from "node:process";

/** The clock of `performance.now`, without the search for a global and the check of a receiver. */
export function monotonicMs(): number {
  const now = hrtime();
  return now[0] * 1_000 + now[1] / 1_000_000;
}
