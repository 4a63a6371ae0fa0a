/** Finds what an edit means, from the very text to similar text. The first rung that finds it decides. */
import { findAlike } from "./alike.ts";
import {
  asWritten,
  plainCharacters,
  plainWithoutEdges,
  plainWithoutEnd,
  squeezed,
  withoutEdges,
  withoutEnd,
} from "./line-forms.ts";
import type { LineForm, TextView } from "./text-view.ts";
import type { Line, Wanted } from "./wanted.ts";

export type Rung = "exact" | "trim-end" | "trim" | "unicode" | "spaces" | "re-indented" | "fuzzy";

export interface Span {
  readonly start: number;
  readonly end: number;
  /** Set when whole lines were compared: the first of them. */
  readonly firstLine?: number;
}

export interface Found {
  readonly rung: Rung;
  /** In order; they may overlap. */
  readonly spans: readonly Span[];
}

export interface FindOptions {
  /** Places may not overlap: each begins after the one before has ended. */
  readonly apart?: boolean;
  /** Lines before this one are not looked at. */
  readonly fromLine?: number;
  /** What the edit would put there: a guess is only made when the lines it changes are right. */
  readonly replacement?: readonly Line[];
}

/** Undefined: nothing is close enough. */
export function find(view: TextView, wanted: Wanted, options: FindOptions = {}): Found | undefined {
  const from = options.fromLine ?? 0;
  for (const [rung, look] of wanted.wholeLines ? lineLadder : ladder) {
    const spans = look(view, wanted, from, options.apart === true);
    if (spans.length > 0) return { rung, spans };
  }
  const alike =
    options.replacement === undefined ? undefined : findAlike(view, wanted, options.replacement, from);
  if (alike === undefined) return undefined;
  return { rung: "fuzzy", spans: [lineSpan(view, wanted, alike)] };
}

/** So many places are no answer to anything; they may not even be all. */
export function areTooMany({ spans }: Found, { text }: Wanted): boolean {
  return spans.length > mostSpans || spans.length * text.length > mostCompared + text.length;
}

const mostSpans = 100_000;
/** Places of a long text that overlap cost its length each. */
const mostCompared = 50_000_000;

type Look = (view: TextView, wanted: Wanted, from: number, apart: boolean) => readonly Span[];

/** A block of whole lines is never found inside a line: `a = 1` would change half of `a = 10`. */
const lineLadder: readonly (readonly [Rung, Look])[] = [
  ["exact", byLines(asWritten)],
  ["trim-end", byLines(withoutEnd)],
  ["trim", byLines(withoutEdges)],
  ["unicode", byLines(plainWithoutEnd)],
  ["unicode", byLines(plainWithoutEdges)],
  ["spaces", byLines(squeezed)],
];

/** Only for a text that may begin and end inside a line. */
const ladder: readonly (readonly [Rung, Look])[] = [
  ["exact", (view, wanted, from, apart) => byText(view.text, wanted.text, view.lineStart(from), apart)],
  ...lineLadder.slice(1, 3),
  ["unicode", byPlainText],
  ...lineLadder.slice(3),
];

function byText(text: string, wanted: string, start: number, apart: boolean): readonly Span[] {
  if (wanted === "") return [];
  const spans: Span[] = [];
  const step = apart ? wanted.length : 1;
  const most = apart ? mostSpans : Math.min(mostSpans, Math.ceil(mostCompared / wanted.length));
  let at = text.indexOf(wanted, start);
  for (; at !== -1 && spans.length <= most; at = text.indexOf(wanted, at + step))
    spans.push({ start: at, end: at + wanted.length });
  return spans;
}

function byPlainText(view: TextView, wanted: Wanted, from: number, apart: boolean): readonly Span[] {
  const text = plainCharacters(view.text);
  const plain = plainCharacters(wanted.text);
  if (text === view.text && plain === wanted.text) return [];
  return byText(text, plain, view.lineStart(from), apart);
}

function byLines(form: LineForm): Look {
  return (view, wanted, from) => {
    const sought = wanted.lines.map(({ text }) => form(text));
    // Blank lines stand everywhere.
    if (sought.every((line) => line.trim() === "")) return [];
    return runsOf(sought, view.lines(form), from).map((first) => lineSpan(view, wanted, first));
  };
}

/** Where the lines stand one after the other (Knuth, Morris, Pratt), also fast where many lines are alike. */
function runsOf(sought: readonly string[], lines: readonly string[], from: number): number[] {
  const back = fallbacks(sought);
  const found: number[] = [];
  let matched = 0;
  for (let at = from; at < lines.length; at += 1) {
    while (matched > 0 && lines[at] !== sought[matched]) matched = back[matched - 1]!;
    if (lines[at] === sought[matched]) matched += 1;
    if (matched < sought.length) continue;
    found.push(at - matched + 1);
    matched = back[matched - 1]!;
  }
  return found;
}

/** For each beginning of the lines, the longest beginning that it also ends with. */
function fallbacks(sought: readonly string[]): readonly number[] {
  const back = [0];
  let length = 0;
  for (let at = 1; at < sought.length; at += 1) {
    while (length > 0 && sought[at] !== sought[length]) length = back[length - 1]!;
    if (sought[at] === sought[length]) length += 1;
    back.push(length);
  }
  return back;
}

export function lineSpan(view: TextView, { lines }: Pick<Wanted, "lines">, firstLine: number): Span {
  const last = firstLine + lines.length - 1;
  const end = lines.at(-1)?.broken === true ? view.nextStart(last) : view.lineEnd(last);
  return { start: view.lineStart(firstLine), end, firstLine };
}

/** The place that is nearest to a line; undefined when two are equally near, or none is near enough. */
export function nearestSpan(
  view: TextView,
  spans: readonly Span[],
  line: number,
  mostDistance = Number.POSITIVE_INFINITY,
): Span | undefined {
  const distances = spans.map((span) => Math.abs(view.lineAt(span.start) - line));
  const nearest = distances.reduce((least, one) => Math.min(least, one));
  const at = distances.indexOf(nearest);
  return nearest <= mostDistance && distances.lastIndexOf(nearest) === at ? spans[at] : undefined;
}
