/**
 * Writes the script of a template: the author's text with `"${1}"` where values go, and without the words
 * that are dropped. For rules and people also the line that does the same with the values written out; that
 * line is read, never run.
 */

import type { Hole, TemplateWord } from "./words.ts";

export interface RenderedParts {
  /** The marked template. */
  readonly text: string;
  readonly holes: readonly Hole[];
  /** Distinct placeholders; the place in this list is the number of the positional parameter. */
  readonly names: readonly string[];
}

export function renderScript(parts: RenderedParts, dropped: readonly TemplateWord[]): string {
  return render(parts, dropped, (hole) => parameter(hole, parts.names));
}

export function renderLine(
  parts: RenderedParts,
  dropped: readonly TemplateWord[],
  values: ReadonlyMap<string, string>,
): string {
  return render(parts, dropped, (hole) => written(hole, values.get(hole.placeholder.name) ?? ""));
}

function render(
  parts: RenderedParts,
  dropped: readonly TemplateWord[],
  fill: (hole: Hole) => string,
): string {
  const splices = [
    ...dropped.map((word) => ({ from: word.pos, to: word.end, text: "" })),
    ...parts.holes
      .filter((hole) => !dropped.some((word) => isWithin(hole, word)))
      .map((hole) => ({
        from: hole.placeholder.pos,
        to: hole.placeholder.pos + hole.placeholder.token.length,
        text: fill(hole),
      })),
  ].sort((a, b) => a.from - b.from);
  let script = "";
  let at = 0;
  for (const splice of splices) {
    script += parts.text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return script + parts.text.slice(at);
}

/** Always inside double quotes of ours or the author's: an unquoted parameter would be split and globbed. */
function parameter(hole: Hole, names: readonly string[]): string {
  const number = `\${${names.indexOf(hole.placeholder.name) + 1}}`;
  if (hole.quoting === "double") return number;
  return hole.quoting === "single" ? `'"${number}"'` : `"${number}"`;
}

/** The value as one literal piece of its word, whatever it holds. */
function written({ quoting }: Hole, value: string): string {
  const literal = `'${value.replaceAll("'", `'\\''`)}'`;
  if (quoting === "bare") return literal;
  return quoting === "single" ? `'${literal}'` : `"${literal}"`;
}

function isWithin(hole: Hole, word: TemplateWord): boolean {
  return hole.placeholder.pos >= word.pos && hole.placeholder.pos < word.end;
}
