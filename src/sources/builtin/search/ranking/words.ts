/** Splits code and questions into words: `parseHTTPUrl`, `parse_http_url`, "parse HTTP URLs" share theirs. */

/** Calls `take` with each word, lower-case and without its ending. Identifiers give their parts. */
export function eachWord(text: string, take: (word: string) => void): void {
  for (const [one] of text.matchAll(part)) take(stem(one.toLowerCase()));
}

export interface QueryWord {
  readonly word: string;
  /** Finds it, or what may be it, whatever the case. */
  readonly source: string;
  /** A whole identifier of the question, found whatever joins its parts. */
  readonly isWhole: boolean;
}

/** The words of a question, each once, without those of every question; then its compound identifiers. */
export function queryWords(query: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  eachWord(query, (word) => {
    if (word.length > 1 && !emptyWords.has(word)) words.set(word, { word, source: word, isWhole: false });
  });
  for (const [run] of query.matchAll(identifier)) {
    const parts = run.match(part) ?? [];
    const word = parts.join("").toLowerCase();
    if (parts.length > 1 && words.size > 0)
      words.set(word, { word, source: parts.join("[_-]?"), isWhole: true });
  }
  return [...words.values()].slice(0, maxQueryWords);
}

const maxQueryWords = 24;
const identifier = /[\p{L}\p{N}_-]{2,100}/gu;
/** `HTTPServer2` is http, server, 2. */
export const part = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|[\p{Lo}\p{Lt}\p{Lm}]+/gu;

/** Cuts plurals and common endings. Both sides get the same stem, which is always the word's beginning. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const single = /(?:ss|us|is)$/.test(word) ? word : word.replace(/(?<=x|ch|sh|ss)es$|s$/, "");
  const root = single.replace(/(?<=[a-z]{3})(?:ing|ed)$/, "");
  return root.length > 3 ? root.replace(/(?:ie|e|y|i)$/, "") : root;
}

const emptyWords = new Set(
  "a an and are as at be by can do does for from get how i in into is it its me my of on or our that the them then there these this to was we what when where which who why will with you your code file find show all"
    .split(" ")
    .map(stem),
);
