/** How far a long piece of work has come: one line at a terminal, gone when the work ends or is interrupted. */
import { onAbort } from "../../../core/run/abort.ts";
import type { CliIo } from "./io.ts";
import { cutToWidth, terminalWidth } from "./text-width.ts";

export interface Progress extends Disposable {
  /** A count that goes up: shown a few times a second. */
  show(text: string): void;
  /** What begins now: shown at once. */
  step(text: string): void;
}

/** Results may go into a file meanwhile: what counts is where messages go. */
export function createProgress(io: Pick<CliIo, "stderrIsTerminal" | "env" | "err" | "signal">): Progress {
  const isSeen = io.stderrIsTerminal === true && io.env.TERM !== "dumb";
  let shownAt: number | undefined;
  let ended = !isSeen;
  const write = (text: string) => {
    if (ended) return;
    shownAt = Date.now();
    // One cell stays free: in the last one some terminals begin the next line.
    io.err(`\r\u001b[K${cutToWidth(text, (terminalWidth({ isTerminal: true, env: io.env }) ?? 80) - 1)}`);
  };
  const clear = () => {
    if (!ended && shownAt !== undefined) io.err("\r\u001b[K");
    ended = true;
  };
  const stopListening = onAbort(io.signal, clear);
  return {
    step: write,
    show(text) {
      if (shownAt === undefined || Date.now() - shownAt >= 200) write(text);
    },
    [Symbol.dispose]() {
      stopListening();
      clear();
    },
  };
}
