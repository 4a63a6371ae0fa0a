/** A file as it is searched: no byte order mark, breaks of one character. Places lead back to the file. */
import { breaksByReturns, singleBreaks } from "./line-breaks.ts";

export interface TextView {
  readonly original: string;
  readonly text: string;
  /** Its lines end with carriage returns alone. */
  readonly byReturns: boolean;
  readonly lineCount: number;
  toOriginal(index: number): number;
  /** Without its break. */
  line(index: number): string;
  lineStart(index: number): number;
  lineEnd(index: number): number;
  /** After its break, if it has one. */
  nextStart(index: number): number;
  /** The break of this line in the file: "\n", "\r\n", "\r" or nothing. */
  ending(index: number): string;
  /** The line that holds this place. */
  lineAt(index: number): number;
  /** All lines in a form under which small differences vanish; made once per form. */
  lines(form: LineForm): readonly string[];
}

export type LineForm = (line: string) => string;

/** `byReturns`: when the text comes from a file of which that is known. */
export function createTextView(original: string, byReturns = breaksByReturns(original)): TextView {
  const mark = original.startsWith("\ufeff") ? 1 : 0;
  const body = mark === 1 ? original.slice(1) : original;
  const breaks = windowsBreaks(body);
  const text = breaks.length === 0 && !byReturns ? body : singleBreaks(body, byReturns);
  const starts = lineStarts(text);
  const forms = new Map<LineForm, readonly string[]>();
  const lineEnd = (index: number) => {
    const next = starts[index + 1];
    if (next !== undefined) return next - 1;
    return text.endsWith("\n") ? text.length - 1 : text.length;
  };
  const view: TextView = {
    original,
    text,
    byReturns,
    lineCount: starts.length,
    toOriginal: (index) => index + mark + countBelow(breaks, index),
    line: (index) => text.slice(starts[index], lineEnd(index)),
    lineStart: (index) => starts[index] ?? text.length,
    lineEnd,
    nextStart: (index) => starts[index + 1] ?? text.length,
    ending: (index) =>
      original.slice(view.toOriginal(lineEnd(index)), view.toOriginal(view.nextStart(index))),
    lineAt: (index) => Math.max(0, countBelow(starts, index + 1) - 1),
    lines: (form) => {
      const made = forms.get(form) ?? starts.map((_, index) => form(view.line(index)));
      forms.set(form, made);
      return made;
    },
  };
  return view;
}

/** Where, counted in the text with single breaks, a break has a carriage return in the file. */
function windowsBreaks(body: string): readonly number[] {
  const found: number[] = [];
  for (let at = body.indexOf("\r\n"); at !== -1; at = body.indexOf("\r\n", at + 2))
    found.push(at - found.length);
  return found;
}

function lineStarts(text: string): readonly number[] {
  if (text === "") return [];
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}

/** How many of the ascending numbers are smaller. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
