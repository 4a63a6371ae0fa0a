/** Ranks tools by words. One index holds all tools; what a caller may see is chosen at each question. */
import MiniSearch, { type SearchOptions } from "minisearch";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import { best, together } from "./best-first.ts";
import { type QueryTerm, queryTerms, splitWords, type ToolWords, wordsOf } from "./tool-words.ts";

const maxQueryWords = 48;
/** What was found for a term is kept: questions and their steps use the same words again and again. */
const maxKeptTerms = 1_000;

const boost = { name: 3, aliases: 1, title: 1, group: 2, purpose: 1.5, details: 0.5, parameters: 0.5 };
/** One rare word alone, however often a tool says it, comes to at most twice this. */
const saturation = 30;
/** How much it counts that a tool has more of the words. */
const coverage = 0.75;
/** How much a step counts the whole question: `approve it` is about what was spoken of before. */
const context = 0.5;

/** Which tools have a term, by their place in the list, and how well it fits each. */
interface Hits {
  readonly places: Int32Array;
  readonly scores: Float64Array;
}

export class ToolIndex {
  readonly #search = new MiniSearch<ToolWords>({
    fields: Object.keys(boost),
    tokenize: splitWords,
    processTerm: (word) => word,
  });
  readonly #found = new Map<string, Hits>();
  #indexed = new Map<string, RegisteredTool>();
  #ids: readonly string[] = [];
  #placeOf: ReadonlyMap<string, number> = new Map();

  /** Best first, of those that `isShown` lets pass. */
  find(
    tools: readonly RegisteredTool[],
    query: string,
    isShown: (id: string) => boolean,
    most: number,
  ): string[] {
    this.#update(tools);
    const shown = Uint8Array.from(this.#ids, (id) => (isShown(id) ? 1 : 0));
    const whole = this.#rate(query, shown);
    const wholeBest = best(whole, most);
    const top = wholeBest[0]?.score ?? 1;
    const steps = stepsOf(query)
      .map((step) => {
        const rated = this.#rate(step, shown);
        return best(
          rated.map((score, place) => score * (1 + (context * (whole[place] ?? 0)) / top)),
          most,
        );
      })
      .filter((ranked) => ranked.length > 0);
    const ranked = steps.length < 2 ? wholeBest : together([...steps, wholeBest], most);
    return ranked.flatMap(({ place }) => this.#ids[place] ?? []);
  }

  /** A score for every tool; 0: it has nothing of the question. */
  #rate(query: string, shown: Uint8Array): Float64Array {
    const terms = queryTerms(query, maxQueryWords);
    const scores = this.#score(terms, shown, false);
    // Spelling is only forgiven where nothing is spelt like it: a near miss must not stand beside a hit.
    return scores.some((score) => score > 0) ? scores : this.#score(terms, shown, true);
  }

  #score(terms: readonly QueryTerm[], shown: Uint8Array, fuzzy: boolean): Float64Array {
    const sums = new Float64Array(shown.length);
    const covered = new Uint16Array(shown.length);
    const ofWord = new Float64Array(shown.length);
    const words = Map.groupBy(terms, ({ word }) => word);
    for (const termsOfWord of words.values()) {
      ofWord.fill(0);
      for (const { term, weight } of termsOfWord) {
        const { places, scores } = this.#hitsOf(term, weight === 1, fuzzy);
        for (let at = 0; at < places.length; at++) {
          const place = places[at] ?? 0;
          ofWord[place] = (ofWord[place] ?? 0) + (scores[at] ?? 0) * weight;
        }
      }
      for (let place = 0; place < ofWord.length; place++) {
        const score = ofWord[place] ?? 0;
        if (score === 0 || shown[place] === 0) continue;
        sums[place] = (sums[place] ?? 0) + (2 * saturation * score) / (score + saturation);
        covered[place] = (covered[place] ?? 0) + 1;
      }
    }
    return sums.map((sum, place) => (sum === 0 ? 0 : sum * ((covered[place] ?? 0) / words.size) ** coverage));
  }

  /** Each term is looked up alone, so that no word can outweigh the others and no term is looked up twice. */
  #hitsOf(term: string, isWord: boolean, fuzzy: boolean): Hits {
    const key = `${isWord ? "w" : "t"}${fuzzy ? "f" : ""} ${term}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const options: SearchOptions = {
      boost,
      tokenize: (word) => [word],
      prefix: isWord && term.length > 3,
      ...(fuzzy && isWord && { fuzzy: 0.25 }),
    };
    const results = this.#search.search(term, options);
    const hits = {
      places: Int32Array.from(results, ({ id }) => this.#placeOf.get(id as string) ?? 0),
      scores: Float64Array.from(results, ({ score }) => score),
    };
    if (this.#found.size >= maxKeptTerms) this.#found.clear();
    this.#found.set(key, hits);
    return hits;
  }

  /** A registered tool never changes; another definition is another object. */
  #update(tools: readonly RegisteredTool[]): void {
    const fresh = tools.filter((tool) => this.#indexed.get(tool.id) !== tool);
    if (fresh.length === 0 && tools.length === this.#indexed.size) return;
    const now = new Map(tools.map((tool) => [tool.id, tool]));
    for (const [id, tool] of this.#indexed) if (now.get(id) !== tool) this.#search.discard(id);
    this.#search.addAll(fresh.map(wordsOf));
    this.#indexed = now;
    this.#ids = [...now.keys()];
    this.#placeOf = new Map(this.#ids.map((id, place) => [id, place]));
    this.#found.clear();
  }
}

/** The steps of a question, each with tools of its own: `read the logs, then open an issue` has two. */
function stepsOf(query: string): string[] {
  return query
    .split(betweenSteps)
    .map((step) => step.trim())
    .filter((step) => step !== "")
    .slice(0, maxSteps);
}

const betweenSteps = /[.;:!?,]\s+|\n|\s+(?:and then|after that|then|and|while)\s+/i;
const maxSteps = 16;
