/** Limits where one session called a tool many times more than any other ever does. */
import type { Limit } from "../../rules/limits.ts";
import { weigh } from "../evidence.ts";
import type { HistoryCall } from "../history.ts";
import type { Suggestion } from "../suggestion.ts";
import type { Window } from "../window.ts";
import { idOf, line, nameOf } from "../write-suggestion.ts";

const minuteMs = 60_000;
/** A burst is so many times what is usual, and so many at least. */
const timesUsual = 5;
const leastBurst = 60;
/** Below that nobody knows what is usual. */
const leastMinutes = 20;

export function suggestLimits(window: Window): Suggestion[] {
  const limited = new Set((window.rules.limits ?? []).flatMap(({ tools }) => tools ?? []));
  const byTool = new Map<string, Map<string, HistoryCall[]>>();
  for (const call of window.calls) {
    const minutes = byTool.get(call.tool) ?? new Map<string, HistoryCall[]>();
    byTool.set(call.tool, minutes);
    const key = `${call.caller}\n${call.session}\n${Math.floor(call.at / minuteMs)}`;
    const known = minutes.get(key);
    if (known === undefined) minutes.set(key, [call]);
    else known.push(call);
  }
  return [...byTool]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([tool, minutes]) => (limited.has(tool) ? [] : (ofTool(tool, minutes, window) ?? [])));
}

function ofTool(
  tool: string,
  minutes: ReadonlyMap<string, readonly HistoryCall[]>,
  window: Window,
): Suggestion | undefined {
  const counts = [...minutes.values()].map(({ length }) => length).sort((a, b) => a - b);
  if (counts.length < leastMinutes) return undefined;
  const usual = counts[Math.floor((counts.length - 1) * 0.95)] ?? 0;
  const bursts = [...minutes.values()].filter(
    ({ length }) => length >= leastBurst && length >= usual * timesUsual,
  );
  if (bursts.length === 0) return undefined;
  const most = Math.max(...counts.filter((count) => count < leastBurst || count < usual * timesUsual), usual);
  const max = Math.max(10, Math.ceil((most * 2) / 10) * 10);
  const bare = { tools: tool, per: "session" as const, max, windowMs: minuteMs };
  const id = idOf("limit", bare);
  const limit: Limit = { name: nameOf(`limit ${tool}`, id), ...bare };
  const over = bursts.flatMap((calls) => calls.slice(max));
  if (over.length === 0) return undefined;
  return window.toSuggestion({
    id,
    kind: "limit",
    state: "ready",
    title: line(`At most ${max} calls of ${tool} a minute in one session`),
    rules: { limits: [limit] },
    removes: [],
    tests: [],
    evidence: weigh(bursts.flat(), window.together),
    savedQuestions: over.filter(({ question }) => question !== undefined).length,
    changes: {
      count: over.length,
      calls: over.slice(0, 50).map(({ seq, callId, input, verdict }) => ({
        seq,
        callId,
        tool,
        input,
        before: verdict,
        after: "deny" as const,
        times: 1,
      })),
    },
    cannotTell: 0,
    holdOut: { asked: 0, answered: 0, agreed: 0, denied: 0 },
    counterExamples: [],
    attacks: { tried: 0, passed: 0 },
    rows: over.map(({ seq }) => seq),
    notes: [
      `${bursts.length} burst(s) of up to ${Math.max(...bursts.map(({ length }) => length))} calls a minute; usual are at most ${most}`,
    ],
  });
}
