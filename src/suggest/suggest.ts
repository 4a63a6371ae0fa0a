/** From the answers of people to rules that would have saved them the question. Nothing here is applied. */
import type { Grant } from "../core/call/approval.ts";
import type { HistoryCall } from "./history.ts";
import type { RuleJudge } from "./judge.ts";
import type { SuggestionKind, SuggestionReport } from "./suggestion.ts";

export interface SuggestOptions {
  readonly judge: RuleJudge;
  /** Milliseconds since the epoch: the end of the window. */
  readonly now: number;
  /** The length of the window. Default: 30. */
  readonly days?: number;
  /** Default: all. */
  readonly kinds?: readonly SuggestionKind[];
  /** Lasting answers that are in force, for the cleanup. */
  readonly grants?: readonly Grant[];
  readonly signal?: AbortSignal;
}

/** The same history and rules give the same report. Calls may be in any order. */
export function suggest(
  history: Iterable<HistoryCall>,
  { judge, now, days = 30 }: SuggestOptions,
): Promise<SuggestionReport> {
  const since = now - days * 86_400_000;
  const calls = [...history].filter(({ at }) => at >= since && at < now);
  const asked = calls.filter(({ question }) => question !== undefined);
  const answered = asked.filter(
    ({ question }) => question?.state === "approved" || question?.state === "denied",
  );
  return Promise.resolve({
    at: now,
    since,
    until: now,
    rulesVersion: judge.rulesVersion,
    calls: calls.length,
    questions: asked.length,
    answered: answered.length,
    savedQuestions: 0,
    suggestions: [],
    withheld: [],
    cannotTell: calls.filter(({ incomplete }) => incomplete === true).length,
  });
}
