/** Times in a query: milliseconds since the epoch, or a date as people write it to machines. */
import { shownName } from "../../core/text/visible.ts";
import { type ProblemAnswer, problem } from "../http/problem.ts";

interface TimeQuery {
  readonly since?: string;
  readonly until?: string;
}

/** The same with numbers, or what is wrong with them. */
export function readTimes<Query extends TimeQuery>(
  query: Query,
): (Omit<Query, "since" | "until"> & { since?: number; until?: number }) | ProblemAnswer {
  const { since: sinceText, until: untilText, ...rest } = query;
  const since = readMoment(sinceText);
  const until = readMoment(untilText);
  for (const [name, text, time] of [
    ["since", sinceText, since],
    ["until", untilText, until],
  ] as const) {
    if (Number.isNaN(time))
      return problem("bad_request", `${name} is no time: ${shownName(text ?? "")}.`, {
        hint: "Give milliseconds since the epoch, or a date such as 2026-01-31 or 2026-01-31T12:00:00Z.",
      });
  }
  return { ...rest, ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}

function readMoment(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,16}$/.test(text)) return Number(text);
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN;
}
