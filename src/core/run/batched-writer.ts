/** Lines for a pipe or a file: what comes together is written together. */

/** Where somebody waits: so many lines of one event are written at its end, so many more at once. */
const many = 8;
const enough = 16;

/**
 * A write costs more than most calls, so lines that come in one turn of the event loop are written together
 * at its end. Where they come one in a turn, there is nothing to wait for: the next one is written at once,
 * and what is left to do about it is done meanwhile. Where somebody reads them and could go on with his own
 * work, those of a single event (a chunk of many answers) do not wait for the other events of the turn.
 */
export class BatchedWriter {
  readonly #write: (lines: string, count: number) => void;
  readonly #isAwaited: boolean;
  #waiting = "";
  /** Of those that wait, and of all in this turn. */
  #count = 0;
  #all = 0;
  #comeAlone = true;
  readonly #endTurn = (): void => {
    this.#comeAlone = this.#all === 1;
    this.#all = 0;
    this.flush();
  };
  /** After everything that the event has brought about. */
  readonly #endEvent = (): void => {
    if (this.#count >= many) this.flush();
  };

  constructor(write: (lines: string, count: number) => void, { isAwaited }: { readonly isAwaited: boolean }) {
    this.#write = write;
    this.#isAwaited = isAwaited;
  }

  /** True: it is written; what `write` throws is thrown here. */
  add(line: string): boolean {
    this.#all++;
    if (this.#all === 1) {
      setImmediate(this.#endTurn);
      if (this.#comeAlone) {
        this.#write(`${line}\n`, 1);
        return true;
      }
    }
    this.#waiting += `${line}\n`;
    this.#count++;
    if (this.#isAwaited) {
      if (this.#count === 1) process.nextTick(this.#endEvent);
      else if (this.#count === enough) this.flush();
    }
    return false;
  }

  flush(): void {
    if (this.#count === 0) return;
    const lines = this.#waiting;
    const count = this.#count;
    this.#waiting = "";
    this.#count = 0;
    this.#write(lines, count);
  }
}
