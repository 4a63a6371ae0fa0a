/** Suggestions from a store: the one way to them for the command line, the API and the console. */
import type { ApprovalRequest } from "../core/call/approval.ts";
import type { OpenConfig } from "../open/open-config.ts";
import { suggest } from "../suggest/suggest.ts";
import type { SuggestionKind, SuggestionReport } from "../suggest/suggestion.ts";
import { type LookedBack, type RankedScope, rankScopes } from "./rank-scopes.ts";
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
export function suggestRules(
  past: RecordedPast,
  config: OpenConfig,
  request: SuggestRequest,
): Promise<SuggestedRules> {
  return lookBack(past, config, request, async ({ report, read }) => ({
    report,
    shadows: tallyShadows(read, wordingsOf(config)),
  }));
}

/** For a call that waits: how far a yes could reach, the closest first, each with what people said so far. */
export function suggestScopes(
  past: RecordedPast,
  config: OpenConfig,
  request: SuggestRequest & { readonly asked: ApprovalRequest },
): Promise<readonly RankedScope[]> {
  return lookBack(past, config, { ...request, kinds: ["allow"] }, (looked) =>
    rankScopes(request.asked, looked),
  );
}

async function lookBack<Result>(
  past: RecordedPast,
  config: OpenConfig,
  { now, days, kinds, most, signal, tools, onProgress }: SuggestRequest,
  use: (looked: LookedBack) => Promise<Result>,
): Promise<Result> {
  const read = await readHistory(past, config, {
    since: now - days * 86_400_000,
    until: now,
    ...(most !== undefined && { most }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  await using judge = createRuleJudge(config, { ...(signal && { signal }), ...(tools && { tools }) });
  const report = await suggest(
    read.map(({ call }) => call),
    {
      judge,
      now,
      days,
      grants: await past.grants.list(),
      ...(kinds && { kinds }),
      ...(signal && { signal }),
    },
  );
  return await use({ report, read, judge });
}

function wordingsOf({ compiled }: OpenConfig): ReadonlyMap<string, string> {
  if (!compiled.ok) return new Map();
  return new Map(
    compiled.rules.policies.flatMap(({ policy, shadow }) =>
      shadow === undefined ? [] : [[policy.name, shadow] as const],
    ),
  );
}
