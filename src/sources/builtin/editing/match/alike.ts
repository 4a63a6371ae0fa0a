/** Places that are nearly what an edit looks for: the one clear best, or the nearest for an error. */
import { align } from "./align.ts";
import { squeezed } from "./line-forms.ts";
import { hasRival, margin } from "./rivals.ts";
import { createPairScore, createSimilarity, type Similarity } from "./similarity.ts";
import type { TextView } from "./text-view.ts";
import type { Line, Wanted } from "./wanted.ts";

export interface Alike {
  readonly firstLine: number;
  /** From 0 to 1, weighted by the length of the lines. */
  readonly score: number;
  readonly perLine: readonly number[];
}

/**
 * A guess is only taken when nothing else comes near: at least three telling lines, half of them the very
 * same, the first and the last nearly so. A misremembered line of context is forgiven, but not one that the
 * edit changes: whoever means to change what is not there does not know what is.
 */
export function findAlike(
  view: TextView,
  wanted: Wanted,
  replacement: readonly Line[],
  from: number,
): number | undefined {
  const sought = wanted.lines.map(({ text }) => squeezed(text));
  const telling = [...sought.keys()].filter((index) => sought[index] !== "");
  if (telling.length < 3 || wanted.text.length < 30 || sought.length > maxLines) return undefined;
  const [best, second] = nearestPlaces(view, wanted, from);
  if (best === undefined || best.score < 0.9 || (second !== undefined && second.score > best.score - margin))
    return undefined;
  const scoreOf = (index: number) => best.perLine[index] ?? 0;
  const same = telling.filter((index) => scoreOf(index) === 1).length;
  if (same * 2 < telling.length) return undefined;
  if (scoreOf(telling[0]!) < 0.8 || scoreOf(telling.at(-1)!) < 0.8) return undefined;
  const changed = changedLines(wanted.lines, replacement);
  const fits = telling.every((index) => scoreOf(index) >= (changed.has(index) ? 1 : 0.5));
  if (!fits) return undefined;
  // The nearest places were found by lines that are the same; one without such a line may be as near.
  const lines = view.lines(squeezed);
  const similarity = createSimilarity();
  const measured = (first: number) => measure(lines, sought, first, similarity).score;
  return hasRival({ lines, sought, best, from, measure: measured }) ? undefined : best.firstLine;
}

const maxLines = 2_000;
const maxFileLines = 100_000;
const mostVotesPerLine = 2_000;

/** The places most like what is wanted, best first, at most a few. */
export function nearestPlaces(view: TextView, wanted: Wanted, from = 0): readonly Alike[] {
  const sought = wanted.lines.map(({ text }) => squeezed(text));
  if (view.lineCount > maxFileLines || sought.length > maxLines || sought.every((line) => line === ""))
    return [];
  const lines = view.lines(squeezed);
  const similarity = createSimilarity();
  return candidates(lines, sought)
    .filter((first) => first >= from && first + sought.length <= lines.length)
    .map((first) => measure(lines, sought, first, similarity))
    .sort((left, right) => right.score - left.score || left.firstLine - right.firstLine);
}

/** A line in both votes for where the whole begins. Without one, the line most like the longest counts. */
function candidates(lines: readonly string[], sought: readonly string[]): number[] {
  const places = new Map<string, number[]>(sought.filter((line) => line !== "").map((line) => [line, []]));
  for (const [index, line] of lines.entries()) {
    const list = places.get(line);
    if (list !== undefined && list.length < mostVotesPerLine) list.push(index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of sought.entries()) {
    for (const place of places.get(line) ?? [])
      votes.set(place - index, (votes.get(place - index) ?? 0) + line.length);
  }
  const most = (scores: Iterable<readonly [number, number]>, count: number) =>
    [...scores]
      .sort((left, right) => right[1] - left[1] || left[0] - right[0])
      .slice(0, count)
      .map(([place]) => place);
  if (votes.size > 0) return most(votes, 8);
  const longest = [...sought.keys()].reduce((a, b) => (sought[b]!.length > sought[a]!.length ? b : a));
  const score = createPairScore(sought[longest]!);
  const scores = lines.map((line, index) => [index - longest, score(line)] as const);
  return most(
    scores.filter(([, score]) => score >= 0.4),
    4,
  );
}

function measure(
  lines: readonly string[],
  sought: readonly string[],
  firstLine: number,
  similarity: Similarity,
): Alike {
  const perLine = sought.map((line, index) => similarity(line, lines[firstLine + index] ?? ""));
  let weight = 0;
  let sum = 0;
  for (const [index, line] of sought.entries()) {
    weight += line.length;
    sum += line.length * perLine[index]!;
  }
  return { firstLine, score: weight === 0 ? 0 : sum / weight, perLine };
}

/** Which of the wanted lines do not come back in the replacement. */
function changedLines(wanted: readonly Line[], replacement: readonly Line[]): Set<number> {
  const changed = new Set<number>();
  let index = 0;
  for (const { equal, removed } of align(wanted, replacement)) {
    index += equal;
    for (let step = 0; step < removed; step += 1) changed.add(index + step);
    index += removed;
  }
  return changed;
}
