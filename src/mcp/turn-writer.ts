/** Lines for the other end of a pipe, which is another process. */
import { LinesTogether } from "../core/lines-together.ts";
import type { Vigil } from "./vigil.ts";

/** `vigil`: begins with each line that goes out alone. */
export function createTurnWriter(write: (lines: string) => void, vigil?: Vigil): (line: string) => void {
  const together = new LinesTogether(write, { isAwaited: true });
  return (line) => {
    if (together.add(line)) vigil?.begin();
  };
}
