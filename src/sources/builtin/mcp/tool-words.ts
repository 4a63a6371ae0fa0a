/** The words by which a tool is found: its names taken apart, what it says about itself, its parameters. */
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import { part, stem } from "../search/ranking/words.ts";
import { meaningsOf } from "./alike-words.ts";
import { firstSentence, parametersOf } from "./tool-line.ts";

/** A stranger writes these; more than this says nothing more about a tool. */
const maxPurposeCharacters = 300;
const maxTextCharacters = 1_500;

export interface ToolWords {
  readonly id: string;
  readonly name: string;
  readonly aliases: string;
  readonly title: string;
  /** Category and server. */
  readonly group: string;
  /** The first sentence of the description: what the tool is for. The rest is often advice and examples. */
  readonly purpose: string;
  readonly details: string;
  readonly parameters: string;
}

export function wordsOf({ id, tool, category, source, inputSchema }: RegisteredTool): ToolWords {
  const description = tool.description.trim().replace(/\s+/g, " ");
  const purpose = firstSentence(description).slice(0, maxPurposeCharacters);
  const parameters = parametersOf(inputSchema).flatMap(({ name, about, choices }) => [
    name,
    about,
    ...choices,
  ]);
  return {
    id,
    // The server's name is counted in the group; in the name it would only push the words of the name aside.
    name:
      source.name !== undefined && id.startsWith(`${source.name}__`) ? id.slice(source.name.length + 2) : id,
    aliases: (tool.aliases ?? []).join(" "),
    title: tool.title ?? "",
    group: `${category} ${source.name ?? ""}`,
    purpose,
    details: description.slice(purpose.length, purpose.length + maxTextCharacters),
    parameters: parameters.join(" ").slice(0, maxTextCharacters),
  };
}

/** Every word of a text and its meanings; of `GitHub` and `getIssue` the whole and the parts. */
export function splitWords(text: string): string[] {
  const terms: string[] = [];
  for (const { whole, parts } of runsOf(text)) {
    for (const word of parts.length > 1 ? [...parts, whole] : [whole])
      if (!emptyWords.has(word)) terms.push(word, ...meaningsOf(word));
  }
  return terms;
}

export interface QueryTerm {
  readonly term: string;
  /** The word of the question that it stands for. */
  readonly word: string;
  readonly weight: number;
}

/** What a word counts that only means the same, and a part of a name such as `GitHub`. */
const meaningWeight = 0.4;
const partWeight = 0.3;

/** The terms to look for, each once and as heavy as its best reason. */
export function queryTerms(query: string, maxWords: number): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const put = (term: string, word: string, weight: number) => {
    if (emptyWords.has(term) || (terms.get(term)?.weight ?? 0) >= weight) return;
    terms.set(term, { term, word, weight });
  };
  const words = new Set<string>();
  for (const { whole, parts } of runsOf(query)) {
    if (emptyWords.has(whole)) continue;
    if (!words.has(whole) && words.size >= maxWords) break;
    words.add(whole);
    put(whole, whole, 1);
    if (parts.length > 1) for (const one of parts) put(one, whole, partWeight);
    for (const meaning of meaningsOf(whole)) put(meaning, whole, meaningWeight);
  }
  return [...terms.values()];
}

/** Letters and digits that stand together, in lower case and without their ending: whole, and cut at case. */
function runsOf(text: string): { readonly whole: string; readonly parts: readonly string[] }[] {
  return [...text.replace(shortPrefix, "$1$2").matchAll(run)].map(([one]) => ({
    whole: stem(one.toLowerCase()),
    parts: (one.match(part) ?? []).map((word) => stem(word.toLowerCase())),
  }));
}

const run = /[\p{L}\p{N}]+/gu;
/** `e-mail`, `to-do` and `re-run` are one word; `_` and longer parts are not joined. */
const shortPrefix = /(?<![\p{L}\p{N}_-])(\p{L}{1,2})-(\p{L}{2,})(?![\p{L}\p{N}_-])/gu;

const emptyWords = new Set(
  "a about also am an and another any are as at be been but by can could did do does each for from had has have he her here him his how i if in into is it its itself just let like may me might must my need no not now of off on one only or other our out over own per please shall she should so some somebody someone something such than that the their them then there these they this those to too tool tools up use used uses using via want wants was we were what whatever when whenever where whether which while who whoever whose why will with within without would you your yours"
    .split(" ")
    .map(stem),
);
