/** From the answers of people to rules that would have saved them the question. Nothing here is applied. */
import type { Grant } from "../core/call/approval.ts";
import type { HistoryCall } from "./history.ts";
import type { RuleJudge } from "./judge.ts";
import { suggestApprovals } from "./kinds/allow.ts";
import { suggestCleanup } from "./kinds/cleanup.ts";
import { suggestDenials } from "./kinds/deny.ts";
import { suggestLimits } from "./kinds/limit.ts";
import { suggestRoutes } from "./kinds/route.ts";
import { questionsOf } from "./proof/prover.ts";
import {
  type Suggestion,
  type SuggestionKind,
  type SuggestionReport,
  suggestionKinds,
} from "./suggestion.ts";
import { openWindow, type Window } from "./window.ts";

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
export async function suggest(
  history: Iterable<HistoryCall>,
  options: SuggestOptions,
): Promise<SuggestionReport> {
  const { judge, now, days = 30, kinds = suggestionKinds, grants = [], signal } = options;
  const window = await openWindow(history, { judge, now, days, signal });
  const makers: Readonly<Record<SuggestionKind, () => Suggestion[] | Promise<Suggestion[]>>> = {
    allow: () => suggestApprovals(window),
    deny: () => suggestDenials(window),
    route: () => suggestRoutes(window),
    limit: () => suggestLimits(window),
    cleanup: () => suggestCleanup(window, grants),
  };
  const found: Suggestion[] = [];
  for (const kind of suggestionKinds) {
    await window.turn();
    if (kinds.includes(kind)) found.push(...(await makers[kind]()));
  }
  const { suggestions, savedQuestions } = await allTogether(found, window);
  const asked = window.calls.filter(({ question }) => question !== undefined);
  return {
    at: now,
    since: window.since,
    until: now,
    rulesVersion: judge.rulesVersion,
    calls: window.calls.length,
    questions: asked.length,
    answered: asked.filter(({ question }) => question?.state === "approved" || question?.state === "denied")
      .length,
    savedQuestions,
    suggestions,
    withheld: withheldOf(window),
    cannotTell: window.groups
      .filter(({ read }) => read === undefined)
      .reduce((sum, { calls }) => sum + calls.length, 0),
  };
}

/** Each was proved on what it is about. What they do to all other calls is looked at together. */
async function allTogether(found: readonly Suggestion[], { prover, groups }: Window) {
  const isApproval = ({ kind, state }: Suggestion) => kind === "allow" && state === "ready";
  const policiesOf = (list: readonly Suggestion[]) =>
    list.filter(isApproval).flatMap(({ rules }) => rules.policies ?? []);
  const replayAll = async (list: readonly Suggestion[]) => {
    const policies = policiesOf(list);
    const known = prover.allowedBy(policies);
    const others = groups.filter((same) => !known.has(same));
    const { problem, savedQuestions } = await prover.replay({ added: { policies } }, others);
    const saved = [...known].reduce((sum, same) => sum + questionsOf(same), savedQuestions);
    return { problem, savedQuestions: saved };
  };
  let kept = found;
  let joint = await replayAll(kept);
  if (joint.problem !== undefined) {
    const problems = new Map<Suggestion, string | undefined>();
    for (const one of found)
      problems.set(one, isApproval(one) ? (await replayAll([one])).problem : undefined);
    kept = found.filter((one) => problems.get(one) === undefined);
    joint = await replayAll(kept);
  }
  // Two that are harmless alone and not together: a person may not choose one of them by luck.
  if (joint.problem !== undefined) kept = kept.filter((one) => !isApproval(one));
  const suggestions = [...kept].sort(
    (a, b) =>
      Number(b.state === "ready") - Number(a.state === "ready") ||
      b.savedQuestions - a.savedQuestions ||
      b.changes.count - a.changes.count ||
      (a.id < b.id ? -1 : 1),
  );
  return { suggestions, savedQuestions: joint.problem === undefined ? joint.savedQuestions : 0 };
}

/** What people approve and the floor keeps back, the most frequent first. */
function withheldOf({ groups }: Window): SuggestionReport["withheld"] {
  const counts = new Map<string, number>();
  for (const { read, calls } of groups) {
    if (read?.withheld === undefined) continue;
    const questions = calls.filter(({ question }) => question?.state === "approved").length;
    if (questions > 0) counts.set(read.withheld, (counts.get(read.withheld) ?? 0) + questions);
  }
  return [...counts]
    .map(([why, questions]) => ({ why, questions }))
    .sort((a, b) => b.questions - a.questions || (a.why < b.why ? -1 : 1))
    .slice(0, 50);
}
