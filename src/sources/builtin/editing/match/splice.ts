/** Puts the new text in the place of the old. A line that the edit does not change keeps its very bytes. */
import { align } from "./align.ts";
import type { Rung, Span } from "./find.ts";
import { type Indentation, type IndentPair, indentOf, learnIndentation } from "./indent.ts";
import { plainCharacters } from "./line-forms.ts";
import type { TextView } from "./text-view.ts";
import type { Line, Wanted } from "./wanted.ts";

export interface Spliced {
  /** For the file's own text from `start` to `end` of the span. */
  readonly text: string;
  readonly rung: Rung;
}

interface Piece {
  readonly body: string;
  readonly ending: string;
  readonly broken: boolean;
}

/** What an edit looks for and brings. */
export interface Replacing {
  /** How it was found. */
  readonly rung: Rung;
  readonly wanted: Wanted;
  readonly replacement: readonly Line[];
  /** The break of lines, where the file has none. */
  readonly defaultEnding: string;
}

export function splice(view: TextView, span: Span, replacing: Replacing): Spliced {
  const { rung, wanted, replacement, defaultEnding } = replacing;
  const sought = wanted.lines;
  const old = pieces(view, span, sought);
  const indentation = learn(rung, sought, old);
  const usual = endingNear(view, span, defaultEnding);
  const made: Piece[] = [];
  let index = 0;
  const pairAt = (at: number) => pairOf(sought[at]?.text, old[at]?.body);
  for (const { equal, removed, added } of align(sought, replacement)) {
    for (let step = 0; step < equal; step += 1) made.push(old[index + step]!);
    index += equal;
    const gone = old.slice(index, index + removed);
    const asked = sought.slice(index, index + removed);
    for (const [step, line] of added.entries()) {
      const ending = gone[Math.min(step, gone.length - 1)]?.ending || made.at(-1)?.ending || usual;
      const near = pairAt(step < removed ? index + step : index + removed - 1);
      const kept = keepGlyphs(line.text, rung, asked[step]?.text, gone[step]?.body);
      const body = indentation === undefined ? kept : indentation.carryOver(kept, near);
      made.push({ body, ending: line.broken ? ending : "", broken: line.broken });
    }
    index += removed;
  }
  return {
    text: join(made, old.at(-1), usual),
    rung: indentation?.kind === "shifted" && rung !== "fuzzy" ? "re-indented" : rung,
  };
}

/** The file's own text for each line that was sought. */
function pieces(view: TextView, span: Span, sought: readonly Line[]): Piece[] {
  const cut = (from: number, to: number) => view.original.slice(view.toOriginal(from), view.toOriginal(to));
  let at = span.start;
  return sought.map(({ text, broken }, index) => {
    const start = span.firstLine === undefined ? at : view.lineStart(span.firstLine + index);
    const end = span.firstLine === undefined ? start + text.length : view.lineEnd(span.firstLine + index);
    at = broken ? end + 1 : end;
    const next = Math.min(at, view.text.length);
    return { body: cut(start, end), ending: cut(end, next), broken };
  });
}

function learn(rung: Rung, sought: readonly Line[], old: readonly Piece[]): Indentation | undefined {
  if (rung === "exact" || rung === "trim-end") return undefined;
  const pairs = sought.map(({ text }, index) => pairOf(text, old[index]!.body));
  return learnIndentation(pairs.filter((pair) => pair !== undefined));
}

/** A blank line says nothing about indentation. */
function pairOf(written: string | undefined, real: string | undefined): IndentPair | undefined {
  if (written === undefined || real === undefined || written.trim() === "") return undefined;
  return [indentOf(written), indentOf(real)];
}

/** Where the edit wrote " for the file's “ and did not mean to change it, the file's character stays. */
function keepGlyphs(line: string, rung: Rung, asked: string | undefined, real: string | undefined): string {
  if (rung !== "unicode" || asked === undefined || real === undefined) return line;
  const [before, core, after] = edges(asked);
  const own = edges(real)[1];
  if (core.length !== own.length || plainCharacters(core) !== plainCharacters(own)) return line;
  const written = before + own + after;
  let head = 0;
  while (head < asked.length && head < line.length && asked[head] === line[head]) head += 1;
  let tail = 0;
  const most = Math.min(asked.length, line.length) - head;
  while (tail < most && asked.at(-1 - tail) === line.at(-1 - tail)) tail += 1;
  return written.slice(0, head) + line.slice(head, line.length - tail) + written.slice(written.length - tail);
}

function edges(line: string): readonly [string, string, string] {
  const core = line.trim();
  const start = core === "" ? line.length : line.indexOf(core);
  return [line.slice(0, start), core, line.slice(start + core.length)];
}

/** The break of the line where the change begins, else of the one before, else the first of the file. */
function endingNear(view: TextView, span: Span, otherwise: string): string {
  if (view.lineCount === 0) return otherwise;
  const line = view.lineAt(Math.min(span.start, Math.max(0, view.text.length - 1)));
  return view.ending(line) || (line > 0 ? view.ending(line - 1) : "") || view.ending(0) || otherwise;
}

/** A file that had no break at its end gets none. */
function join(made: readonly Piece[], lastOld: Piece | undefined, near: string): string {
  const endless = lastOld?.broken === true && lastOld.ending === "";
  return made
    .map(({ body, ending, broken }, index) => {
      if (index === made.length - 1) return endless ? body : body + ending;
      return body + (broken && ending === "" ? near : ending);
    })
    .join("");
}
