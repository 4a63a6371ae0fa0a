/** Says whether another place is nearly as like the wanted text as the chosen one. On doubt: yes. */
import type { Alike } from "./alike.ts";
import { longLine } from "./similarity.ts";

export interface Contest {
  readonly lines: readonly string[];
  readonly sought: readonly string[];
  readonly best: Alike;
  /** Lines before this one are not looked at. */
  readonly from: number;
  /** How like a place is, exactly. */
  readonly measure: (firstLine: number) => number;
}

/** Another place this much less like it is still a rival. */
export const margin = 0.1;

const mostCompared = 2_000_000;
const mostMeasured = 200;

/** A cheap bound rules nearly every place out; what it leaves is measured. */
export function hasRival({ lines, sought, best, from, measure }: Contest): boolean {
  const weight = sought.reduce((sum, { length }) => sum + length, 0);
  const mostLoss = (1 - best.score + margin) * weight;
  // Long lines first: they rule out soonest.
  const order = [...sought.keys()].sort((left, right) => sought[right]!.length - sought[left]!.length);
  const bags = new Map<string, Uint16Array>();
  const bagOf = (line: string) => {
    const made = bags.get(line) ?? countCharacters(line);
    bags.set(line, made);
    return made;
  };
  let compared = 0;
  let measured = 0;
  const mayBeNear = (first: number) => {
    let loss = 0;
    for (const index of order) {
      const [wanted, line] = [sought[index]!, lines[first + index]!];
      compared += 1;
      loss += wanted.length * (1 - mostAlike(wanted, line, bagOf));
      if (loss > mostLoss + rounding) return false;
    }
    return true;
  };
  for (let first = from; first + sought.length <= lines.length; first += 1) {
    if (first === best.firstLine || !mayBeNear(first)) continue;
    measured += 1;
    if (compared > mostCompared || measured > mostMeasured) return true;
    if (measure(first) > best.score - margin) return true;
  }
  return compared > mostCompared;
}

const rounding = 1e-6;

/** Never less than how like two lines are: characters that are not in both have to change. */
function mostAlike(left: string, right: string, bagOf: (line: string) => Uint16Array): number {
  if (left === right) return 1;
  if (left === "" || right === "") return 0;
  // Beyond some length likeness is another measure, about which counted characters say nothing.
  if (left.length > longLine || right.length > longLine) return 1;
  const [some, others] = [bagOf(left), bagOf(right)];
  let common = 0;
  for (let bin = 0; bin < bins; bin += 1) common += Math.min(some[bin]!, others[bin]!);
  return common / Math.max(left.length, right.length);
}

const bins = 64;

/** Characters that share a bin only make the bound weaker. */
function countCharacters(line: string): Uint16Array {
  const counts = new Uint16Array(bins);
  for (let at = 0; at < line.length; at += 1) counts[line.charCodeAt(at) % bins]! += 1;
  return counts;
}
