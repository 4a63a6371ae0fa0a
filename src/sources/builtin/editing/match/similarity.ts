/** How alike two lines are, from 0 to 1. The work is bounded: long lines are compared by character pairs. */

export type Similarity = (left: string, right: string) => number;

export const longLine = 400;
const mostCells = 5_000_000;

/** One budget for all lines of a search: what is over it gets the cheaper answer. */
export function createSimilarity(): Similarity {
  let cells = 0;
  return (left, right) => {
    if (left === right) return 1;
    if (left === "" || right === "") return 0;
    const cost = left.length * right.length;
    if (left.length > longLine || right.length > longLine || cells + cost > mostCells)
      return pairSimilarity(left, right);
    cells += cost;
    return 1 - distance(left, right) / Math.max(left.length, right.length);
  };
}

/** Levenshtein. */
function distance(left: string, right: string): number {
  let before = Uint16Array.from({ length: right.length + 1 }, (_, index) => index);
  let row = new Uint16Array(right.length + 1);
  for (let i = 1; i <= left.length; i += 1) {
    row[0] = i;
    for (let j = 1; j <= right.length; j += 1) {
      const change = left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1;
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + change);
    }
    [before, row] = [row, before];
  }
  return before[right.length]!;
}

/** Dice: twice the shared pairs of all pairs. */
export function pairSimilarity(left: string, right: string): number {
  return createPairScore(left)(right);
}

/** For comparing one line with very many: cheap, and good enough to choose which are worth a closer look. */
export function createPairScore(sought: string): (line: string) => number {
  const pairs = new Set<number>();
  for (let at = 0; at + 1 < Math.min(sought.length, mostPairs); at += 1) pairs.add(pairAt(sought, at));
  const own = Math.min(sought.length, mostPairs) - 1;
  return (line) => {
    const count = Math.min(line.length, mostPairs) - 1;
    if (own <= 0 || count <= 0 || count * 4 < own || own * 4 < count) return 0;
    let shared = 0;
    for (let at = 0; at < count; at += 1) if (pairs.has(pairAt(line, at))) shared += 1;
    return (2 * Math.min(shared, own)) / (own + count);
  };
}

const mostPairs = 2_000;

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1);
}
