/** Long texts of a record, cut so that no half of a secret is left at the end of what is kept. */
import type { Json } from "../../core/input/json.ts";

/** Of one text, and of all texts of a record together. */
export const maxKeptCharacters = 16_384;
export const maxKeptTogether = 262_144;

/** How long a word may be that goes as a whole. */
const longestWord = 4_096;

export function shorten(value: Json): Json {
  return shortenWithin(value, { left: maxKeptTogether });
}

function shortenWithin(value: Json, room: { left: number }): Json {
  if (typeof value === "string") return kept(value, room);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => shortenWithin(item, room));
  const members = Object.entries(value as { readonly [key: string]: Json });
  return Object.fromEntries(members.map(([key, member]) => [key, shortenWithin(member, room)]));
}

export function shortenText(text: string, most: number): string {
  const end = text.length <= most ? text.length : wholeWords(text, most);
  return end === text.length ? text : `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function kept(text: string, room: { left: number }): string {
  const most = Math.min(maxKeptCharacters, room.left);
  room.left -= Math.min(text.length, most);
  return shortenText(text, most);
}

/** A key that is cut in two is no longer known by its shape, so the word at the cut goes as a whole. */
function wholeWords(text: string, most: number): number {
  const lowest = Math.max(0, most - longestWord);
  let end = most;
  while (end > lowest && inWord.test(text[end - 1] as string)) end--;
  return end;
}

const inWord = /[\w+/=.~%$!@:-]/;
