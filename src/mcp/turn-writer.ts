/** Lines for a pipe: what comes together is written together. */

/**
 * What is said in one step goes out in one write, at its end. More that comes in the same turn of the event loop, from other connections,
 * waits for the end of the turn: a write that wakes another process costs more than most calls.
 */
export function createTurnWriter(write: (lines: string) => void): (line: string) => void {
  let waiting = "";
  let hasWritten = false;
  const flush = (): void => {
    const lines = waiting;
    waiting = "";
    hasWritten = true;
    setImmediate(endTurn);
    write(lines);
  };
  const endTurn = (): void => {
    hasWritten = false;
    if (waiting !== "") flush();
  };
  return (line) => {
    if (waiting === "" && !hasWritten) process.nextTick(flush);
    waiting += `${line}\n`;
  };
}
