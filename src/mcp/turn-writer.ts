/** Lines for the other end of a pipe, which is another process. */
import { LinesTogether } from "../core/lines-together.ts";

export function createTurnWriter(write: (lines: string) => void): (line: string) => void {
  const together = new LinesTogether(write, { isAwaited: true });
  return (line) => {
    together.add(line);
  };
}
