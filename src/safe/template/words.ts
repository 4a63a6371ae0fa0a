/** One word of a template in pieces: the author's text, holes for values, what only the shell knows. */

import type { DoubleQuotedChild, Word, WordPart } from "unbash";
import type { Placeholder } from "./placeholders.ts";

export type Quoting = "bare" | "single" | "double";

export interface Hole {
  readonly placeholder: Placeholder;
  readonly quoting: Quoting;
}

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "hole"; readonly hole: Hole }
  /** An expansion; `mayBeEmpty` is false for a glob, which leaves at least its own text. */
  | { readonly kind: "unknown"; readonly mayBeEmpty: boolean };

export interface TemplateWord {
  readonly pos: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

/** Holes in any other kind of part stay unfound, which refuses the template. */
export function toTemplateWord(word: Word, placeholders: readonly Placeholder[]): TemplateWord {
  const pieces: Piece[] = [];
  const addText = (text: string, quoting: Quoting): void => {
    let rest = text;
    for (const placeholder of placeholders) {
      const at = rest.indexOf(placeholder.token);
      if (at === -1) continue;
      if (at > 0) pieces.push({ kind: "text", text: rest.slice(0, at) });
      pieces.push({ kind: "hole", hole: { placeholder, quoting } });
      rest = rest.slice(at + placeholder.token.length);
    }
    if (rest !== "") pieces.push({ kind: "text", text: rest });
  };
  const addPart = (part: WordPart | DoubleQuotedChild, quoting: Quoting): void => {
    if (part.type === "Literal") addText(part.value, quoting);
    else if (part.type === "SingleQuoted") addText(part.value, "single");
    else if (part.type === "DoubleQuoted") for (const child of part.parts) addPart(child, "double");
    else pieces.push({ kind: "unknown", mayBeEmpty: part.type !== "Glob" && part.type !== "BraceExpansion" });
  };
  if (word.parts === undefined) addText(word.value, "bare");
  else for (const part of word.parts) addPart(part, "bare");
  return { pos: word.pos, end: word.end, pieces };
}

export function holesOf(word: TemplateWord): Hole[] {
  return word.pieces.flatMap((piece) => (piece.kind === "hole" ? [piece.hole] : []));
}

/** The word as the program gets it, if that is known before anything runs. */
export function literalOf(word: TemplateWord | undefined): string | undefined {
  if (word === undefined) return undefined;
  return word.pieces.every((piece) => piece.kind === "text") ? prefixOf(word) : undefined;
}

/** The known text at its start. */
export function prefixOf(word: TemplateWord): string {
  let text = "";
  for (const piece of word.pieces) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}

/** The program's name without its folder; also of `"$HOME"/bin/tool`, whose end is known. */
export function programOf(word: TemplateWord): string | undefined {
  if (holesOf(word).length > 0) return undefined;
  let tail = "";
  for (const piece of word.pieces) tail = piece.kind === "text" ? tail + piece.text : "";
  const slash = tail.lastIndexOf("/");
  const known = literalOf(word) !== undefined || slash !== -1;
  const name = tail.slice(slash + 1);
  return known && name !== "" && !name.startsWith("-") ? name : undefined;
}
