/** Measures how long redacting takes when one piece is repeated to fill a text. */
import { redactText } from "../../src/safe/redact/redact.ts";
// As in a server: with its switch on, V8 may run patterns of ours in another engine.
import "../../src/safe/regex/linear-twin.ts";

const budgetMs = 100;

/** In processor time, best of a few: another busy process on the machine must not look like a slow pattern. */
export function slowPieces(pieces: readonly string[], size: number): string[] {
  const slow: string[] = [];
  for (const piece of new Set(pieces)) {
    if (piece === "") continue;
    const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 12 && best >= budgetMs; attempt += 1) {
      const start = process.cpuUsage();
      redactText(text);
      const used = process.cpuUsage(start);
      best = Math.min(best, (used.user + used.system) / 1_000);
    }
    if (best >= budgetMs) slow.push(`${JSON.stringify(piece)}: ${Math.round(best)} ms`);
  }
  return slow;
}
