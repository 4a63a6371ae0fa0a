/** How far a long piece of work has come: one line at a terminal, gone when the work is done. */
import type { CliIo } from "./io.ts";

export function createProgress(
  io: Pick<CliIo, "isTerminal" | "err">,
): Disposable & { show(text: string): void } {
  let shownAt = 0;
  return {
    show(text) {
      if (!io.isTerminal || Date.now() - shownAt < 200) return;
      shownAt = Date.now();
      io.err(`\r${text}`);
    },
    [Symbol.dispose]() {
      if (shownAt > 0) io.err("\r\u001b[K");
    },
  };
}
