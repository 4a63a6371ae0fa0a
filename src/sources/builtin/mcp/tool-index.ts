/** Ranks tools by words. The index is of all tools and made once; what a caller may see is chosen at each question. */
import MiniSearch, { type SearchOptions } from "minisearch";
import type { RegisteredTool } from "../../../core/registry.ts";
import { stepsOf } from "./query-steps.ts";
import { type QueryTerm, queryTerms, splitWords, type ToolWords, wordsOf } from "./tool-words.ts";

const maxQueryWords = 48;
/** What was found for a term is kept: questions use the same words again and again, and so do the steps of one question. */
const maxKeptTerms = 1_000;

const boost = { name: 3, aliases: 1, title: 1, group: 2, purpose: 1.5, details: 0.5, parameters: 0.5 };
/** One rare word alone, however often a tool says it, comes to at most twice this. */
const saturation = 30;
/** How much it counts that a tool has more of the words. */
const coverage = 0.75;
/** How much a step is drawn to the tools that fit the whole question: `approve it` is about what was spoken of before. */
const context = 0.5;

interface Ranked {
  readonly id: string;
  readonly score: number;
}

type Scores = ReadonlyMap<string, number>;

export class ToolIndex {
  readonly #search = new MiniSearch<ToolWords>({
    fields: Object.keys(boost),
    tokenize: splitWords,
    processTerm: (word) => word,
  });
  readonly #found = new Map<string, Scores>();
  #indexed = new Map<string, RegisteredTool>();

  /** Best first, of those that `isShown` lets pass. */
  find(
    tools: readonly RegisteredTool[],
    query: string,
    isShown: (id: string) => boolean,
    most: number,
  ): string[] {
    this.#update(tools);
    const whole = this.#rank(query, isShown);
    const steps = stepsOf(query)
      .map((step) => this.#rank(step, isShown))
      .filter((ranked) => ranked.length > 0);
    if (steps.length < 2) return whole.slice(0, most).map(({ id }) => id);
    return inTurns([...steps.map((step) => drawnTo(whole, step)), whole], most);
  }

  #rank(query: string, isShown: (id: string) => boolean): Ranked[] {
    const terms = queryTerms(query, maxQueryWords);
    const ranked = this.#score(terms, isShown, false);
    // Spelling is only forgiven where nothing is spelt like it: a near miss must not stand beside a hit.
    return ranked.length > 0 ? ranked : this.#score(terms, isShown, true);
  }

  #score(terms: readonly QueryTerm[], isShown: (id: string) => boolean, fuzzy: boolean): Ranked[] {
    const byWord = new Map<string, Map<string, number>>();
    for (const { term, word, weight } of terms) {
      const scores = byWord.get(word) ?? new Map<string, number>();
      byWord.set(word, scores);
      for (const [id, score] of this.#scoresOf(term, weight === 1, fuzzy))
        scores.set(id, (scores.get(id) ?? 0) + score * weight);
    }
    const sums = new Map<string, { score: number; words: number }>();
    for (const scores of byWord.values()) {
      for (const [id, score] of scores) {
        const sum = sums.get(id) ?? { score: 0, words: 0 };
        sum.score += (2 * saturation * score) / (score + saturation);
        sum.words++;
        sums.set(id, sum);
      }
    }
    const ranked: Ranked[] = [];
    for (const [id, { score, words }] of sums)
      if (isShown(id)) ranked.push({ id, score: score * (words / byWord.size) ** coverage });
    return ranked.sort((left, right) => right.score - left.score);
  }

  /** Each term is looked up alone, so that no word can outweigh the others and no term is looked up twice. */
  #scoresOf(term: string, isWord: boolean, fuzzy: boolean): Scores {
    const key = `${isWord ? "w" : "t"}${fuzzy ? "f" : ""} ${term}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const options: SearchOptions = {
      boost,
      tokenize: (word) => [word],
      prefix: isWord && term.length > 3,
      ...(fuzzy && isWord && { fuzzy: 0.25 }),
    };
    const scores = new Map(
      this.#search.search(term, options).map(({ id, score }) => [id as string, score] as const),
    );
    if (this.#found.size >= maxKeptTerms) this.#found.clear();
    this.#found.set(key, scores);
    return scores;
  }

  /** A registered tool never changes; another definition is another object. */
  #update(tools: readonly RegisteredTool[]): void {
    const fresh = tools.filter((tool) => this.#indexed.get(tool.id) !== tool);
    if (fresh.length === 0 && tools.length === this.#indexed.size) return;
    const now = new Map(tools.map((tool) => [tool.id, tool]));
    for (const [id, tool] of this.#indexed) if (now.get(id) !== tool) this.#search.discard(id);
    this.#search.addAll(fresh.map(wordsOf));
    this.#indexed = now;
    this.#found.clear();
  }
}

function drawnTo(whole: readonly Ranked[], step: readonly Ranked[]): Ranked[] {
  const best = whole[0]?.score ?? 1;
  const fit = new Map(whole.map(({ id, score }) => [id, score / best]));
  return step
    .map(({ id, score }) => ({ id, score: score * (1 + context * (fit.get(id) ?? 0)) }))
    .sort((left, right) => right.score - left.score);
}

/** The best of each list, then the second of each, and so on: a step with common words must not push the others out. */
function inTurns(lists: readonly (readonly Ranked[])[], most: number): string[] {
  const taken = new Set<string>();
  for (let at = 0; taken.size < most && lists.some((list) => at < list.length); at++) {
    for (const list of lists) {
      const next = list[at];
      if (next !== undefined && taken.size < most) taken.add(next.id);
    }
  }
  return [...taken];
}
