/** Suggestions from a store: the one way to them for the command line, the API and the console. */
import type { OpenConfig } from "../open/open-config.ts";
import type { HistoryCall } from "../suggest/history.ts";
import { suggest } from "../suggest/suggest.ts";
import type { SuggestionKind, SuggestionReport } from "../suggest/suggestion.ts";
import { type RecordedPast, readHistory } from "./read-history.ts";
import { createRuleJudge, type JudgeOptions } from "./rule-judge.ts";
import { type ShadowTally, tallyShadows } from "./shadow-tally.ts";

export interface SuggestRequest extends JudgeOptions {
  readonly now: number;
  readonly days: number;
  readonly kinds?: readonly SuggestionKind[];
  /** The newest calls; older ones are left out. Default: all. */
  readonly most?: number;
  readonly onProgress?: (calls: number) => void;
}

export interface SuggestedRules {
  readonly report: SuggestionReport;
  /** Of policies in shadow mode: what they would have done. */
  readonly shadows: readonly ShadowTally[];
}

/** Nothing runs, nobody is asked, nothing is recorded or written. */
export async function suggestRules(
  past: RecordedPast,
  config: OpenConfig,
  { now, days, kinds, most, signal, tools, onProgress }: SuggestRequest,
): Promise<SuggestedRules> {
  const since = now - days * 86_400_000;
  const read = await readHistory(past, config, {
    since,
    until: now,
    ...(most !== undefined && { most }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  await using judge = createRuleJudge(config, { ...(signal && { signal }), ...(tools && { tools }) });
  const calls: readonly HistoryCall[] = read.map(({ call }) => call);
  const grants = await past.grants.list();
  const report = await suggest(calls, {
    judge,
    now,
    days,
    grants,
    ...(kinds && { kinds }),
    ...(signal && { signal }),
  });
  return { report, shadows: tallyShadows(read, wordingsOf(config)) };
}

function wordingsOf({ compiled }: OpenConfig): ReadonlyMap<string, string> {
  if (!compiled.ok) return new Map();
  return new Map(
    compiled.rules.policies.flatMap(({ policy, shadow }) =>
      shadow === undefined ? [] : [[policy.name, shadow] as const],
    ),
  );
}
