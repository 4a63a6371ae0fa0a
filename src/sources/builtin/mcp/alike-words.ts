/** Words that mean the same in names of tools: who asks to remove something also means `delete`. */
import { eachWord } from "../search/ranking/words.ts";

/** In the simplest form that `eachWord` gives; the word itself is not among them. */
export function alikeWords(word: string): readonly string[] {
  return byWord.get(word) ?? none;
}

const none: readonly string[] = [];

const groups = [
  "create add new make insert open",
  "delete remove drop erase",
  "get read show view fetch retrieve display",
  "list all enumerate",
  "update change edit modify set patch",
  "search find lookup query",
  "run execute start launch trigger",
  "stop cancel end kill terminate close",
  "send post write",
  "move rename",
  "undo revert reset restore rollback",
  "image picture photo screenshot",
  "folder directory",
  "error failure exception",
  "comment note reply",
  "issue ticket bug",
  "user person member contact",
  "site website page url web",
  "message chat",
  "database db sql",
  "table spreadsheet",
  "row record entry",
  "repo repository",
  "map location place",
  "address location coordinate geocode",
  "route direction navigation",
  "build pipeline ci job",
  "log output console",
  "container pod",
  "doc documentation manual",
  "phone mobile device",
];

const byWord = new Map<string, string[]>();
for (const group of groups) {
  const words: string[] = [];
  eachWord(group, (word) => words.push(word));
  for (const word of words)
    byWord.set(word, [...(byWord.get(word) ?? []), ...words.filter((other) => other !== word)]);
}
