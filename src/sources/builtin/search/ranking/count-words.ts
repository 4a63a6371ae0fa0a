/** Counts the words of a question in a text. Looks closer only where one of them may begin. */
import { part, type QueryWord, stem } from "./words.ts";

/** How often each word occurs, in their order. */
export type CountWords = (text: string) => number[];

export function createCountWords(words: readonly QueryWord[]): CountWords {
  const single = words.filter(({ isWhole }) => !isWhole);
  const places = new Map(single.map(({ word }) => [word, words.findIndex((one) => one.word === word)]));
  const anywhere = anyCase(single.map(({ source }) => source).join("|"));
  const wholes = words.flatMap(({ isWhole, source }, place) =>
    isWhole ? [{ place, pattern: anyCase(source) }] : [],
  );
  const here = new RegExp(part.source, "uy");
  return (text) => {
    const counts = words.map(() => 0);
    let found = false;
    anywhere.lastIndex = 0;
    for (let match = anywhere.exec(text); match !== null; match = anywhere.exec(text)) {
      if (!beginsPart(text, match.index)) continue;
      here.lastIndex = match.index;
      const place = places.get(stem(here.exec(text)?.[0].toLowerCase() ?? ""));
      if (place === undefined) continue;
      counts[place] = (counts[place] ?? 0) + 1;
      found = true;
    }
    // A whole identifier is only there where its parts are.
    if (found) for (const { place, pattern } of wholes) counts[place] = text.match(pattern)?.length ?? 0;
    return counts;
  };
}

/** Without flag u where it changes nothing: the engine is faster then. */
function anyCase(source: string): RegExp {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  return new RegExp(source, /^[\x00-\x7f]*$/.test(source) ? "gi" : "giu");
}

/** A part begins after what is no letter or digit, at a new kind, or before the last of some capitals. */
function beginsPart(text: string, at: number): boolean {
  const before = kindOf(text.charCodeAt(at - 1));
  if (before === "none") return true;
  const kind = kindOf(text.charCodeAt(at));
  if (kind !== before) return !(before === "upper" && kind === "lower");
  return kind === "upper" && kindOf(text.charCodeAt(at + 1)) === "lower";
}

function kindOf(unit: number): "none" | "lower" | "upper" | "digit" {
  if (unit < 128 || Number.isNaN(unit)) {
    if (unit >= 97 && unit <= 122) return "lower";
    if (unit >= 65 && unit <= 90) return "upper";
    return unit >= 48 && unit <= 57 ? "digit" : "none";
  }
  const char = String.fromCharCode(unit);
  if (char !== char.toLowerCase()) return "upper";
  return /[\p{L}\p{N}\ud800-\udfff]/u.test(char) ? "lower" : "none";
}
