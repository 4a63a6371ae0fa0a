/** What all kinds of suggestions are made from: the calls of the window, read and ready to be proved on. */
import { type TakeTurn, takeTurns } from "../core/run/take-turns.ts";
import type { Policy } from "../rules/policies.ts";
import type { Rules } from "../rules/rule-set.ts";
import { answersInARow, isAnswered, isNo } from "./evidence.ts";
import type { HistoryCall } from "./history.ts";
import type { RuleJudge } from "./judge.ts";
import { Prover } from "./proof/prover.ts";
import { readCalls, type SameCalls } from "./read-calls.ts";
import type { Suggestion } from "./suggestion.ts";
import { writeRules } from "./write-suggestion.ts";

const dayMs = 86_400_000;
const builtOn = 0.7;
const reviewDays = 90;
const mostRows = 100;

/** What is the same in every suggestion of a report is added to it. */
export type SuggestionParts = Omit<Suggestion, "yaml" | "provenance" | "reviewAt"> & {
  readonly rows: readonly number[];
};

export interface Window {
  readonly since: number;
  readonly until: number;
  /** Rules are tried on what came after it. */
  readonly split: number;
  /** Oldest first. */
  readonly calls: readonly HistoryCall[];
  readonly groups: readonly SameCalls[];
  readonly denied: readonly SameCalls[];
  /** What people answered after `split`, by group. */
  readonly later: ReadonlyMap<SameCalls, readonly HistoryCall[]>;
  /** Answers that were given together. */
  readonly together: ReadonlySet<HistoryCall>;
  readonly prover: Prover;
  /** Others get their turn between two steps. */
  readonly turn: TakeTurn;
  readonly rules: Rules;
  /** In force in the projects that the calls were made in. */
  readonly policies: readonly Policy[];
  /** When a person should look again at what is proposed. */
  readonly reviewAt: number;
  toSuggestion(parts: SuggestionParts): Suggestion;
}

export interface WindowOptions {
  readonly judge: RuleJudge;
  readonly now: number;
  readonly days: number;
  readonly signal: AbortSignal | undefined;
}

export async function openWindow(
  history: Iterable<HistoryCall>,
  { judge, now, days, signal }: WindowOptions,
): Promise<Window> {
  const turn = takeTurns();
  const since = now - days * dayMs;
  const calls = [...history]
    .filter(({ at }) => at >= since && at < now)
    .sort((a, b) => a.at - b.at || a.seq - b.seq);
  await turn();
  const groups = await readCalls(calls, judge);
  await turn();
  const first = calls[0]?.at ?? since;
  const reviewAt = now + reviewDays * dayMs;
  // Of the time that there is something to tell of.
  const split = first + (now - first) * builtOn;
  return {
    since,
    until: now,
    split,
    calls,
    groups,
    denied: groups.filter((same) => same.calls.some(isNo)),
    later: new Map(
      groups.map(
        (same) => [same, same.calls.filter((call) => call.at >= split && isAnswered(call))] as const,
      ),
    ),
    together: answersInARow(calls),
    prover: new Prover(judge, groups, signal),
    turn,
    rules: judge.rules,
    policies: await judge.policiesIn(new Set(calls.map(({ workspace }) => workspace))),
    reviewAt,
    toSuggestion: ({ rows, ...parts }) => {
      const provenance = {
        at: now,
        since,
        until: now,
        rows: [...rows].sort((a, b) => a - b).slice(0, mostRows),
        rulesVersion: judge.rulesVersion,
      };
      const { rules, title, evidence } = parts;
      const hasRules = Object.values(rules).some((list) => list.length > 0);
      return {
        ...parts,
        yaml: hasRules ? writeRules({ rules, title, provenance, evidence, reviewAt }) : "",
        provenance,
        reviewAt,
      };
    },
  };
}
