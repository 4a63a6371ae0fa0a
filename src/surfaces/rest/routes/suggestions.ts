/** Rules that people's answers speak for. Nothing is written here: rules are files, and files are edited by people. */
import { defined } from "../../../core/input/defined.ts";
import { type SuggestedRules, suggestRules, suggestScopes } from "../../../replay/suggest-rules.ts";
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { RankedScopes, SuggestionReport } from "../contract.ts";
import { defineRoute } from "../rest-route.ts";
import { rankedScopes, suggestionReport, suggestionsQuery } from "../schemas/suggestions.ts";
import { oneAtATime } from "../trials/one-at-a-time.ts";
import { noApproval } from "./approvals.ts";

/** Whoever has more runs `toolgate suggest`, which has a process of its own. */
const mostCalls = 20_000;

const listSuggestions = defineRoute({
  method: "GET",
  path: "/api/suggestions",
  right: "read",
  summary: "Rules that would have saved people questions, each with its proof",
  description:
    "Made of people's answers in the last `days`. The newest 20,000 calls are looked at; hooks do not run, and plugins are not loaded.",
  query: suggestionsQuery,
  answers: { 200: suggestionReport },
  async handle({ query: { days = 30, for: kind }, signal }, { gate, store, config, clock }) {
    const found = await oneAtATime(gate, () =>
      suggestRules(store, config.current, {
        now: clock.now(),
        days,
        most: mostCalls,
        signal,
        tools: noOthers,
        ...(kind !== undefined && { kinds: [kind] }),
      }),
    );
    return found === undefined ? busy : json<SuggestionReport>(toReport(found));
  },
});

const rankScopes = defineRoute({
  method: "GET",
  path: "/api/approvals/:id/scopes",
  right: ["read", "approve"],
  summary: "How far a yes to a call that waits could reach, and what people said to the like",
  params: { id: "The whole id." },
  answers: { 200: rankedScopes },
  async handle({ params: { id }, signal }, { gate, store, config, clock }) {
    const found = (await store.approvals.find(id)).find(({ request }) => request.id === id);
    if (found === undefined) return noApproval(id);
    const scopes = await oneAtATime(gate, () =>
      suggestScopes(store, config.current, {
        asked: found.request,
        now: clock.now(),
        days: 30,
        most: mostCalls,
        signal,
        tools: noOthers,
      }),
    );
    return scopes === undefined ? busy : json<RankedScopes>({ scopes: scopes.map((one) => defined(one)) });
  },
});

/** Neither plugins nor upstream servers are started for it. */
const noOthers = { pluginFiles: [], upstreams: "known" as const };

const busy = problem("unavailable", "Rules are being tried out for somebody already.", {
  headers: { "retry-after": "3" },
});

export const suggestionRoutes = [listSuggestions, rankScopes];

function toReport({ report, shadows }: SuggestedRules): SuggestionReport {
  return {
    ...report,
    suggestions: report.suggestions.map(({ rules: _, provenance: __, tests, removes, ...rest }) => ({
      ...rest,
      tests: tests.length,
      removes: removes.map((one) => defined(one)),
      counterExamples: rest.counterExamples.map((one) => defined(one)),
    })),
    shadows,
    complete: report.calls < mostCalls,
  };
}
