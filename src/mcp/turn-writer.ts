/** Lines for a pipe: what comes together is written together. */

/**
 * What is said in one step goes out in one write, at its end. More that comes in the same turn of the event loop, from other connections,
 * waits for the end of the turn: a write that wakes another process costs more than most calls. Where lines come one in a turn, there is
 * nothing to wait for: the next one goes out at once, and what is left to do about it is done while the other side reads.
 */
export function createTurnWriter(write: (lines: string) => void): (line: string) => void {
  let waiting = "";
  let hasWritten = false;
  /** In this turn. */
  let count = 0;
  let comeAlone = false;
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    writeFirst(lines);
  };
  const writeFirst = (lines: string): void => {
    hasWritten = true;
    setImmediate(endTurn);
    write(lines);
  };
  const endTurn = (): void => {
    hasWritten = false;
    comeAlone = count === 1;
    count = 0;
    if (waiting !== "") flush();
  };
  return (line) => {
    count++;
    if (comeAlone && count === 1) {
      writeFirst(`${line}\n`);
      return;
    }
    if (waiting === "" && !hasWritten) process.nextTick(flush);
    waiting += `${line}\n`;
  };
}
