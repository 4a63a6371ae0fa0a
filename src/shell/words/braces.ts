/** Expands plain brace lists (`{a,b}`, `{1..5}`); gives up on quotes, nesting or expansions inside. */

import type { WordPart } from "unbash";

const MAX_WORDS = 64;

export function expandBraces(parts: readonly WordPart[]): readonly string[] | undefined {
  let words = [""];
  for (const part of parts) {
    const choices = choicesOf(part);
    if (choices === undefined || words.length * choices.length > MAX_WORDS) return undefined;
    const next: string[] = [];
    for (const word of words) for (const choice of choices) next.push(word + choice);
    words = next;
  }
  return words.filter((word) => word !== "");
}

function choicesOf(part: WordPart): readonly string[] | undefined {
  if (part.type === "Literal") return PLAIN.test(part.text) ? [part.text] : undefined;
  if (part.type === "SingleQuoted") return part.value === "" ? undefined : [part.value];
  if (part.type !== "BraceExpansion") return undefined;
  const list = /^\{([\w./@%+-]*(?:,[\w./@%+-]*)+)\}$/.exec(part.text);
  if (list?.[1] !== undefined)
    return list[1].includes("..") && !list[1].includes(",") ? undefined : list[1].split(",");
  const letters = /^\{([a-z])\.\.([a-z])\}$|^\{([A-Z])\.\.([A-Z])\}$/.exec(part.text);
  if (letters !== null) {
    const from = (letters[1] ?? letters[3] ?? "").charCodeAt(0);
    return count(from, (letters[2] ?? letters[4] ?? "").charCodeAt(0))?.map((code) =>
      String.fromCharCode(code),
    );
  }
  const range = /^\{(0|[1-9]\d{0,4})\.\.(0|[1-9]\d{0,4})\}$/.exec(part.text);
  if (range === null) return undefined;
  return count(Number(range[1]), Number(range[2]))?.map(String);
}

function count(from: number, to: number): readonly number[] | undefined {
  const length = Math.abs(to - from) + 1;
  return length > MAX_WORDS ? undefined : Array.from({ length }, (_, i) => (from < to ? from + i : from - i));
}

/** A list without anything to expand inside, which only multiplies the word it stands in. */
export function isPlainList(part: WordPart): boolean {
  return choicesOf(part) !== undefined;
}

const PLAIN = /^[\w./@%+:=,-]*$/;
