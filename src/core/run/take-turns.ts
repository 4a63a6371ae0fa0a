/** Long work that nobody waits for: every few milliseconds others get their turn. */
import { setImmediate as nextTurn } from "node:timers/promises";

const workMs = 8;

/** To be awaited between two steps. It costs next to nothing while there is time left. */
export type TakeTurn = () => Promise<void> | undefined;

export function takeTurns(): TakeTurn {
  let since = performance.now();
  return () => {
    if (performance.now() - since < workMs) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
