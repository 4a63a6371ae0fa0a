/** Lines for the other end of a pipe, which is another process. */
import { LinesTogether } from "../core/lines-together.ts";
import type { Vigil } from "./vigil.ts";

/** So many are not kept waiting: the other side is to have work while we go on with ours. */
const enough = 16;

/** `vigil`: begins with each line that goes out alone. */
export function createTurnWriter(write: (lines: string) => void, vigil?: Vigil): (line: string) => void {
  const together = new LinesTogether(write, enough);
  return (line) => {
    if (together.add(line)) vigil?.begin();
  };
}
