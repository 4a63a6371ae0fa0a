/** Scores files for a question (BM25): rare words count more, repeated ones less, words of the path much. */
import { type CountWords, createCountWords } from "./count-words.ts";
import type { QueryWord } from "./words.ts";

export interface ScoredFile<File> {
  readonly file: File;
  readonly score: number;
}

interface Counted<File> {
  readonly file: File;
  /** How often each word of the question occurs, the path included by its weight. */
  readonly counts: readonly number[];
  readonly length: number;
}

const pathWeight = 6;
/** How quickly repetition stops to matter, and how much long files pay for their length. */
const saturation = 1.2;
const lengthShare = 0.6;
/** The best so far are kept, not all that hold a word. */
const maxCounted = 4_000;

export class FileRanking<File> {
  readonly #count: CountWords;
  /** How many files hold each word. */
  readonly #holding: number[];
  #counted: Counted<File>[] = [];
  #files = 0;
  #characters = 0;

  constructor(words: readonly QueryWord[]) {
    this.#count = createCountWords(words);
    this.#holding = words.map(() => 0);
  }

  /** Counts one file; keeps it when it holds a word. */
  add(file: File, path: string, text: string): void {
    this.#files += 1;
    this.#characters += text.length;
    const inPath = this.#count(path);
    const counts = this.#count(text).map((count, index) => count + pathWeight * (inPath[index] ?? 0));
    if (counts.every((count) => count === 0)) return;
    for (const [index, count] of counts.entries())
      if (count > 0) this.#holding[index] = (this.#holding[index] ?? 0) + 1;
    this.#counted.push({ file, counts, length: text.length });
    if (this.#counted.length >= maxCounted * 2) this.#counted = this.#sorted().slice(0, maxCounted);
  }

  best(most: number): ScoredFile<File>[] {
    return this.#sorted()
      .slice(0, most)
      .map((counted) => ({ file: counted.file, score: this.#score(counted) }));
  }

  /** How much each word tells: much when few files hold it. */
  weights(): number[] {
    return this.#holding.map((holding) => Math.log(1 + (this.#files - holding + 0.5) / (holding + 0.5)));
  }

  #sorted(): Counted<File>[] {
    const weights = this.weights();
    const scored = this.#counted.map((counted) => ({ counted, score: this.#score(counted, weights) }));
    return scored.sort((left, right) => right.score - left.score).map(({ counted }) => counted);
  }

  #score({ counts, length }: Counted<File>, weights = this.weights()): number {
    const average = this.#characters / Math.max(1, this.#files) || 1;
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average);
    let score = 0;
    for (const [index, count] of counts.entries())
      score += ((weights[index] ?? 0) * count * (saturation + 1)) / (count + norm);
    return score;
  }
}
