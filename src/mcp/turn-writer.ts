/** Lines for the other end of a pipe, which is another process. */
import { BatchedWriter } from "../core/run/batched-writer.ts";

export function createTurnWriter(write: (lines: string) => void): (line: string) => void {
  const together = new BatchedWriter(write, { isAwaited: true });
  return (line) => {
    together.add(line);
  };
}
