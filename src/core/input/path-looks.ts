/**
 * Texts that look like a file's path, in fields whose names do not say so: `{target: "~/.ssh/id_rsa"}`. They are no
 * paths of the call; only those that are protected, or that a rule speaks of, count.
 */

import { wordSet } from "../text/words.ts";
import { wordsInName } from "./field-words.ts";

const looksLikePath = /^(?:\/|~\/|\.{1,2}\/|file:)[^\s*?]+$/i;
const longestPath = 1_024;
const maxLooks = 16;
const maxDepth = 4;
/** In one input. Fields with telling names are read to their end elsewhere. */
const maxFields = 200;

/** Fields that hold a text about something, a pattern, or a place in an API. */
const otherTexts = wordSet(
  "pattern patterns regex regexp query queries glob globs selector xpath jsonpath text message content contents body prompt description title " +
    "summary comment note route routes endpoint endpoints href search q code html markdown name label",
);

export function pathLooks(input: Readonly<Record<string, unknown>>): readonly string[] {
  const found: string[] = [];
  const budget = { left: maxFields };
  for (const key of Object.keys(input)) look(input[key], key, found, budget, 1);
  return found;
}

function look(value: unknown, key: string, found: string[], budget: { left: number }, depth: number): void {
  if (--budget.left < 0 || found.length >= maxLooks) return;
  if (typeof value === "string") {
    if (value.length <= longestPath && looksLikePath.test(value) && !isOther(key)) found.push(value);
  } else if (typeof value === "object" && value !== null && depth < maxDepth) {
    if (Array.isArray(value)) for (const item of value) look(item, key, found, budget, depth + 1);
    else for (const [name, held] of Object.entries(value)) look(held, name, found, budget, depth + 1);
  }
}

function isOther(key: string): boolean {
  return otherTexts.has(wordsInName(key).at(-1) ?? "");
}
