/** Finds the lines that a stranger's pattern matches, in bounded time: fast engine, then linear one. */

import { attempt, withinBudget } from "../process/time-budget.ts";
import { linearTwin } from "./linear-twin.ts";

/** A pattern without flags i, u and v, in which no part can match a line feed. */
export interface LinePattern {
  readonly source: string;
  /** Holds `^` or `$`: then only the line feed may count as a line's end. */
  readonly anchored: boolean;
}

export interface LineHit {
  /** Where the line starts and ends in the text, its line feed not included. */
  readonly start: number;
  readonly end: number;
  /** Where the first match starts in the text. */
  readonly match: number;
}

/** `undefined` = undecided: it took too long. */
export type FindLines = (text: string, most?: number) => readonly LineHit[] | undefined;

const fastMs = 40;
const strictMs = 100;
/**
 * A match never leaves its line, so the fast engine walks a line at most once for each start in it: up to
 * this length that is harmless, and a deadline, which costs more than most searches, is not needed.
 */
const maxDirectLine = 1_000;

export function createFindLines({ source, anchored }: LinePattern): FindLines {
  const whole = enginesOf(source, "gm");
  // To JavaScript a carriage return and two separators end a line as well; where they occur, each line is
  // looked at alone.
  const single = enginesOf(source, "g");
  return (text, most = Number.POSITIVE_INFINITY) => {
    const byLine = anchored && otherLineEnd.test(text);
    const { fast, strict } = byLine ? single : whole;
    const find = (regexp: RegExp) => (byLine ? findOneByOne : findInWhole)(regexp, text, most);
    if (strict !== undefined && hasShortLines(text)) return find(fast);
    const first = withinBudget(fastMs, () => find(fast));
    if (first.ok) return first.value;
    const second = strict === undefined ? first : withinBudget(strictMs, () => find(strict));
    return second.ok ? second.value : undefined;
  };
}

const otherLineEnd = /[\r\u2028\u2029]/;

function enginesOf(source: string, flags: string): { fast: RegExp; strict: RegExp | undefined } {
  const twin = linearTwin(source, flags);
  const fast = twin?.regexp ?? new RegExp(source, flags);
  // The first run compiles; what is too large for the strict engine fails here and not in the middle of a
  // file.
  const strict = twin !== undefined && attempt(() => twin.strict.test("")).ok ? twin.strict : undefined;
  return { fast, strict };
}

function hasShortLines(text: string): boolean {
  let start = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    if (end - start > maxDirectLine) return false;
    start = end + 1;
  }
  return text.length - start <= maxDirectLine;
}

function findInWhole(regexp: RegExp, text: string, most: number): LineHit[] {
  const hits: LineHit[] = [];
  regexp.lastIndex = 0;
  while (hits.length < most) {
    const match = regexp.exec(text)?.index;
    if (match === undefined) break;
    const start = match === 0 ? 0 : text.lastIndexOf("\n", match - 1) + 1;
    const found = text.indexOf("\n", match);
    const end = found === -1 ? text.length : found;
    hits.push({ start, end, match });
    if (found === -1) break;
    regexp.lastIndex = end + 1;
  }
  return hits;
}

function findOneByOne(regexp: RegExp, text: string, most: number): LineHit[] {
  const hits: LineHit[] = [];
  for (let start = 0; start <= text.length && hits.length < most; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    regexp.lastIndex = 0;
    const match = regexp.exec(text.slice(start, end))?.index;
    if (match !== undefined) hits.push({ start, end, match: start + match });
    start = end + 1;
  }
  return hits;
}
