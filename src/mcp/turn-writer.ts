/** Lines for a pipe: what comes together is written together. */

/** Of lines that wait: fewer go out at the end of their turn, so many at the latest now. */
const few = 4;
const enough = 48;
/** As long as each turn brings more. */
const mostTurns = 3;

/**
 * A write that wakes another process costs more than most calls. So lines that come in one turn of the event loop go out in one write at its
 * end, and where many come in each turn (many calls at once), those of up to three turns. Where lines come one in a turn, there is nothing to
 * wait for: the next one goes out at once, and what is left to do about it is done while the other side reads.
 */
export function createTurnWriter(write: (lines: string) => void): (line: string) => void {
  let waiting = "";
  let count = 0;
  /** Of those that wait, at the end of the last turn. */
  let counted = 0;
  let turns = 0;
  let comeAlone = true;
  /** The first line of this turn has gone out at once. */
  let hasWritten = false;
  let isWaiting = false;

  const endTurn = (): void => {
    turns++;
    if (count > few && count > counted && count < enough && turns < mostTurns) {
      counted = count;
      setImmediate(endTurn);
      return;
    }
    isWaiting = false;
    comeAlone = count + (hasWritten ? 1 : 0) === 1;
    hasWritten = false;
    const lines = waiting;
    waiting = "";
    count = 0;
    counted = 0;
    turns = 0;
    if (lines !== "") write(lines);
  };
  return (line) => {
    if (!isWaiting) {
      isWaiting = true;
      setImmediate(endTurn);
      if (comeAlone) {
        hasWritten = true;
        write(`${line}\n`);
        return;
      }
    }
    waiting += `${line}\n`;
    count++;
  };
}
