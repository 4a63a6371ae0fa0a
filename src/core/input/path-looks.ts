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

const none: readonly string[] = [];

/** Asked at every call: most inputs hold a few texts, none of which begins like a path. */
export function pathLooks(input: Readonly<Record<string, unknown>>): readonly string[] {
  let search: Search | undefined;
  for (const key in input) {
    const value = input[key];
    if (typeof value === "string" ? !beginsLikePath(value) : typeof value !== "object") continue;
    if (!Object.hasOwn(input, key)) continue;
    search ??= { found: [], left: maxFields };
    look(value, key, search, 1);
  }
  return search?.found ?? none;
}

interface Search {
  readonly found: string[];
  /** How many fields may still be looked at. */
  left: number;
}

function look(value: unknown, key: string, search: Search, depth: number): void {
  if (--search.left < 0 || search.found.length >= maxLooks) return;
  if (typeof value === "string") {
    if (value.length <= longestPath && looksLikePath.test(value) && !isOther(key)) search.found.push(value);
  } else if (typeof value === "object" && value !== null && depth < maxDepth) {
    if (Array.isArray(value)) for (const item of value) look(item, key, search, depth + 1);
    else for (const [name, held] of Object.entries(value)) look(held, name, search, depth + 1);
  }
}

/** `/`, `~`, `.`, and the first letter of `file:` */
function beginsLikePath(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === 0x2f || first === 0x7e || first === 0x2e || first === 0x66 || first === 0x46;
}

function isOther(key: string): boolean {
  return otherTexts.has(wordsInName(key).at(-1) ?? "");
}
