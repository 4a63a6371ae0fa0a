/** Chooses the stretch of lines in a file that says most about a question. */
import { eachWord } from "./words.ts";

export interface Stretch {
  /** From 1, both included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

const windowLines = 12;
const maxCharacters = 1_600;
const maxLineCharacters = 240;

export function bestLines(text: string, weights: ReadonlyMap<string, number>): Stretch {
  const lines = text.split(/\r?\n/);
  const own = lines.map((line) => (bringsIn.test(line) ? noWords : wordsIn(line, weights)));
  const found = own.some(({ size }) => size > 0) ? own : lines.map((line) => wordsIn(line, weights));
  const start = bestStart(found, weights);
  const end = Math.min(lines.length, start + windowLines);
  const shown: string[] = [];
  let room = maxCharacters;
  for (const line of lines.slice(start, end)) {
    const short = line.length > maxLineCharacters ? `${line.slice(0, maxLineCharacters)}…` : line;
    if (short.length > room) break;
    room -= short.length;
    shown.push(short);
  }
  while (shown.length > 1 && shown.at(-1)?.trim() === "") shown.pop();
  return { startLine: start + 1, endLine: start + Math.max(1, shown.length), text: shown.join("\n") };
}

/** Such lines name everything and explain nothing. */
const bringsIn = /^\s*(?:import|from|use|using|require|#include)\b/;
const noWords: ReadonlySet<string> = new Set();

function wordsIn(line: string, weights: ReadonlyMap<string, number>): ReadonlySet<string> {
  const words = new Set<string>();
  eachWord(line, (word) => {
    if (weights.has(word)) words.add(word);
  });
  return words;
}

/** Different words close together count most; a line that starts something counts a little more. */
function bestStart(found: readonly ReadonlySet<string>[], weights: ReadonlyMap<string, number>): number {
  let best = 0;
  let bestScore = -1;
  for (let start = 0; start < found.length; start++) {
    // A stretch begins at a line that holds a word, with one line before it.
    if (found[start]?.size === 0) continue;
    const together = new Map<string, number>();
    for (const words of found.slice(start, start + windowLines - 1)) {
      for (const word of words) together.set(word, (together.get(word) ?? 0) + 1);
    }
    let score = 0;
    for (const [word, count] of together) score += (weights.get(word) ?? 0) * (1 + Math.log(count) / 4);
    if (score > bestScore) {
      bestScore = score;
      best = Math.max(0, start - 1);
    }
  }
  return best;
}
