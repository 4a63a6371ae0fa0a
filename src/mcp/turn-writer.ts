/** Lines for a pipe: what comes together is written together. */
import type { Vigil } from "./vigil.ts";

/** So many are not kept waiting: the other side is to have work while we go on with ours. */
const enough = 16;

/**
 * A write that wakes another process costs more than most calls, so lines that come in one turn of the event loop go out in one write at its
 * end. Where lines come one in a turn, there is nothing to wait for: the next one goes out at once, and what is left to do about it is done
 * while the other side reads. `vigil`: begins with each of those.
 */
export function createTurnWriter(write: (lines: string) => void, vigil?: Vigil): (line: string) => void {
  let waiting = "";
  /** Of those that wait, and of all in this turn. */
  let count = 0;
  let all = 0;
  let comeAlone = true;

  const endTurn = (): void => {
    comeAlone = all === 1;
    all = 0;
    if (count > 0) flush();
  };
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    count = 0;
    write(lines);
  };
  return (line) => {
    all++;
    if (all === 1) {
      setImmediate(endTurn);
      if (comeAlone) {
        write(`${line}\n`);
        vigil?.begin();
        return;
      }
    }
    waiting += `${line}\n`;
    count++;
    if (count === enough) flush();
  };
}
