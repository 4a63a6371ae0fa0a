/** Sets of code points as sorted ranges. Both engines get the same, so `\w` and `[^a]` mean the same. */

export type Range = readonly [low: number, high: number];
export type CharSet = readonly Range[];

export const lastCodePoint = 0x10ffff;
export const everything: CharSet = [[0, lastCodePoint]];

export function union(...sets: readonly CharSet[]): CharSet {
  const sorted = sets.flat().sort((left, right) => left[0] - right[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const rest: Range[] = [];
  let from = 0;
  for (const [low, high] of union(set)) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= lastCodePoint) rest.push([from, lastCodePoint]);
  return rest;
}

export function without(set: CharSet, ...codes: readonly number[]): CharSet {
  return complement(union(complement(set), ...codes.map((code): CharSet => [[code, code]])));
}

/** The part of a set between two code points. */
export function within(set: CharSet, low: number, high: number): CharSet {
  return set.flatMap(([from, to]): Range[] =>
    to < low || from > high ? [] : [[Math.max(from, low), Math.min(to, high)]],
  );
}

const digits: CharSet = [[0x30, 0x39]];
const wordCharacters: CharSet = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
/** What JavaScript calls white space, line ends included. */
const spaces: CharSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export const escapeSets = { digit: digits, space: spaces, word: wordCharacters } as const;

const blockLength = 0x1000;
/** Beyond this only the tags of plane 14 are characters of their own; the rest of a plane is all alike. */
const lastOwn = 0x3ffff;
const tags: Range = [0xe0000, 0xe0fff];

/** As the engine of this process knows it: the other engine gets the characters, not the name. */
export function propertySet(source: string): CharSet {
  const runs = new RegExp(`${source}+`, "gu");
  const ranges: Range[] = runsIn(runs, tags[0], blockLength);
  for (let first = 0; first <= lastOwn; first += blockLength) {
    // Halves of surrogate pairs side by side would be read as other characters.
    const end = first === 0xd000 ? 0xd800 : first + blockLength;
    ranges.push(...runsIn(runs, first, end - first));
  }
  for (let plane = lastOwn + 1; plane <= lastCodePoint; plane += 0x10000) {
    const isTags = plane === tags[0];
    const sample = isTags ? tags[1] + 1 : plane;
    if (runsIn(runs, sample, 1).length > 0) ranges.push([sample, plane + 0xffff]);
  }
  return union(ranges);
}

function runsIn(runs: RegExp, first: number, length: number): Range[] {
  const text = String.fromCodePoint(...Array.from({ length }, (_, index) => first + index));
  const width = first > 0xffff ? 2 : 1;
  return [...text.matchAll(runs)].map(({ index, 0: run }) => {
    const low = first + index / width;
    return [low, low + run.length / width - 1];
  });
}

/** Characters above this have no cases, or are too many to ask one by one. */
const lastCased = 0x1e943;

/** With the other case of each character. ASCII letters have ASCII cases only: `k` is no Kelvin sign. */
export function withBothCases(set: CharSet): CharSet {
  const more: Range[] = [];
  for (const [low, high] of within(set, 0, lastCased)) {
    for (let code = low; code <= high; code++) {
      for (const other of otherCases(code)) more.push([other, other]);
    }
  }
  return union(set, more);
}

function otherCases(code: number): number[] {
  const char = String.fromCodePoint(code);
  const upper = char.toUpperCase();
  const lower = char.toLowerCase();
  return [upper, lower, upper.toLowerCase(), lower.toUpperCase()].flatMap((text) => {
    const other = text.codePointAt(0) ?? code;
    const isOne = text.length === (other > 0xffff ? 2 : 1);
    return isOne && other !== code && other < 0x80 === code < 0x80 ? [other] : [];
  });
}
