/** Ranks tools by words. The index is of all tools and made once; what a caller may see is chosen at each question. */
import MiniSearch, { type SearchOptions, type SearchResult } from "minisearch";
import type { RegisteredTool } from "../../../core/registry.ts";
import { alikeWords } from "./alike-words.ts";
import { splitWords, type ToolWords, wordsOf } from "./tool-words.ts";

const maxQueryWords = 24;

const boost = { name: 3, aliases: 1, title: 2, group: 2, description: 1, parameters: 0.5 };
/** What a word that only means the same counts. */
const alikeWeight = 0.2;

export class ToolIndex {
  readonly #search = emptySearch();
  #indexed = new Map<string, RegisteredTool>();

  /** Best first, of those that `isShown` lets pass. */
  find(
    tools: readonly RegisteredTool[],
    query: string,
    isShown: (id: string) => boolean,
    most: number,
  ): string[] {
    this.#update(tools);
    const words = new Set([...new Set(splitWords(query))].slice(0, maxQueryWords));
    if (words.size === 0) return [];
    const meant = new Map<string, string>();
    for (const word of words)
      for (const alike of alikeWords(word)) if (!words.has(alike)) meant.set(alike, word);
    const options: SearchOptions = {
      boost,
      filter: ({ id }) => isShown(id as string),
      prefix: (word) => word.length > 3 && words.has(word),
      boostTerm: (word) => (words.has(word) ? 1 : alikeWeight),
      tokenize: bySpace,
    };
    const text = [...words, ...meant.keys()].join(" ");
    const found = this.#search.search(text, options);
    // Spelling is only forgiven where nothing is spelt like it: a near miss must not stand beside a hit.
    const results = found.length > 0 ? found : this.#search.search(text, { ...options, fuzzy: 0.25 });
    return results
      .map((result) => ({ id: result.id as string, score: scoreOf(result, words.size, meant) }))
      .sort((left, right) => right.score - left.score)
      .slice(0, most)
      .map(({ id }) => id);
  }

  /** A registered tool never changes; another definition is another object. */
  #update(tools: readonly RegisteredTool[]): void {
    const fresh = tools.filter((tool) => this.#indexed.get(tool.id) !== tool);
    if (fresh.length === 0 && tools.length === this.#indexed.size) return;
    const now = new Map(tools.map((tool) => [tool.id, tool]));
    for (const [id, tool] of this.#indexed) if (now.get(id) !== tool) this.#search.discard(id);
    this.#search.addAll(fresh.map(wordsOf));
    this.#indexed = now;
  }
}

/** A tool that has two of three words is likelier meant than one that has one of them twice. */
function scoreOf(
  { score, queryTerms }: SearchResult,
  words: number,
  meant: ReadonlyMap<string, string>,
): number {
  const covered = new Set(queryTerms.map((term) => meant.get(term) ?? term));
  return score * (covered.size / words) ** 0.5;
}

function emptySearch(): MiniSearch<ToolWords> {
  return new MiniSearch<ToolWords>({
    fields: Object.keys(boost),
    tokenize: splitWords,
    processTerm: (word) => word,
  });
}

function bySpace(words: string): string[] {
  return words.split(" ");
}
