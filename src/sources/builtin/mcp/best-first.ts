/** The best of many scores, and the best of several such lists together. */

export interface Ranked {
  readonly place: number;
  readonly score: number;
}

/** At most `most` of the places with a score, best first; of equals the one that comes first. */
export function best(scores: Float64Array, most: number): Ranked[] {
  const kept: Ranked[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score <= 0 || (kept.length === most && score <= (kept[most - 1]?.score ?? 0))) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.score ?? 0) < score) at--;
    kept.splice(at, 0, { place, score });
    if (kept.length > most) kept.pop();
  }
  return kept;
}

/** What the second best of a list counts of its score, the third of that, and so on. */
const nextInLine = 0.7;

/**
 * Each list gives its best at full score and the others for less and less. So a step with common words does
 * not push the others out, and a sentence that asks for nothing (`my boss is waiting`) takes no place from
 * them.
 */
export function together(lists: readonly (readonly Ranked[])[], most: number): Ranked[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [at, { place, score }] of list.entries())
      scores.set(place, Math.max(scores.get(place) ?? 0, score * nextInLine ** at));
  }
  return [...scores]
    .map(([place, score]) => ({ place, score }))
    .sort((left, right) => right.score - left.score)
    .slice(0, most);
}
