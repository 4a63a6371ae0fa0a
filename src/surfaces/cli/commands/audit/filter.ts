/** The options that choose records, read into a filter. */
import { type LedgerFilter, ledgerKinds } from "../../../../core/ports/ledger-reader.ts";
import { parseDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";

/** As they are typed; the rest is what the filter takes. */
export interface FilterOptions extends Omit<LedgerFilter, "since" | "until" | "kinds"> {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly kinds?: string | undefined;
}

export type ReadFilter =
  | { readonly ok: true; readonly filter: LedgerFilter }
  | { readonly ok: false; readonly message: string };

export function readFilter(options: FilterOptions, now: number): ReadFilter {
  const since = readTime(options.since, now);
  const until = readTime(options.until, now);
  for (const [name, time] of Object.entries({ since, until })) {
    if (typeof time !== "string") continue;
    const message = `--${name} takes how long ago (90s, 30m, 24h, 7d) or a time such as 2026-11-15 or 2026-11-15T10:00:00Z, not "${visible(time)}".`;
    return { ok: false, message };
  }
  const kinds = options.kinds?.split(",").map((kind) => kind.trim());
  const unknown = kinds?.find((kind) => !ledgerKinds.some((known) => known === kind));
  if (unknown !== undefined) {
    const message = `There are no records of the kind "${visible(unknown)}"; there are ${ledgerKinds.join(", ")}.`;
    return { ok: false, message };
  }
  const { tool, caller, session, toolUseId, verdict, code, text } = options;
  const chosen = { tool, caller, session, toolUseId, verdict, code, text, since, until, kinds };
  return { ok: true, filter: chosen as LedgerFilter };
}

/** The text itself if it is not a time. */
function readTime(text: string | undefined, now: number): number | string | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  if (ago !== undefined) return now - ago;
  // Only whole dates: `Date.parse` takes much that nobody means as a time.
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? text : time;
}
