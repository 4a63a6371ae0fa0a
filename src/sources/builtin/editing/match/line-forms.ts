/** The forms under which two lines count as the same, from strict to lenient. */
import type { LineForm } from "./text-view.ts";

export const asWritten: LineForm = (line) => line;

export const withoutEnd: LineForm = (line) => line.trimEnd();

export const withoutEdges: LineForm = (line) => line.trim();

export const plainWithoutEnd: LineForm = (line) => plain(line).trimEnd();

export const plainWithoutEdges: LineForm = (line) => plain(line).trim();

/** White space inside a line counts as one blank, however much it is; none and some stay different. */
export const squeezed: LineForm = (line) => plainWithoutEdges(line).replace(/\s+/g, " ");

function plain(line: string): string {
  return /^[\t -~]*$/.test(line) ? line : plainCharacters(line).normalize("NFC");
}

/** Dashes, quotes and spaces that look alike become the one on the keyboard, one for one. */
export function plainCharacters(text: string): string {
  return text.replace(special, plainCharacter);
}

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x2018 && code <= 0x201b) return "'";
  if (code >= 0x201c && code <= 0x201f) return '"';
  return spaces.test(character) ? " " : "-";
}

const special =
  /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d\u2018-\u201b\u201c-\u201f\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const spaces = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;
