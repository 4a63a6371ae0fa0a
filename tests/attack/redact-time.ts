/** Measures how long redacting takes when one piece is repeated to fill a text. */

import { redactText } from "../../src/safe/redact/redact.ts";
import { processorMs } from "../processor-time.ts";
// As in a server: with its switch on, V8 may run patterns of ours in another engine.
import "../../src/safe/regex/linear-twin.ts";

const budgetMs = 100;

/**
 * In processor time, best of a few, and again a while later: neither another busy process nor a slow phase of the machine
 * must look like a slow pattern.
 */
export function slowPieces(pieces: readonly string[], size: number): string[] {
  let slow = [...new Set(pieces)]
    .filter((piece) => piece !== "")
    .map((piece) => ({ piece, best: Number.POSITIVE_INFINITY }));
  for (let pass = 0; pass < 4 && slow.length > 0; pass++) {
    if (pass > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    slow = slow
      .map(({ piece }) => ({ piece, best: bestMs(piece, size) }))
      .filter(({ best }) => best >= budgetMs);
  }
  return slow.map(({ piece, best }) => `${JSON.stringify(piece)}: ${Math.round(best)} ms`);
}

function bestMs(piece: string, size: number): number {
  const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 12 && best >= budgetMs; attempt += 1) {
    const start = processorMs();
    redactText(text);
    best = Math.min(best, processorMs() - start);
  }
  return best;
}
