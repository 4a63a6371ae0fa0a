/** Before a suggestion is applied: the rules may have changed since, and so may have people's answers. */
import type { HistoryCall } from "./history.ts";
import { type SuggestOptions, suggest } from "./suggest.ts";
import type { Suggestion } from "./suggestion.ts";

export type ProvedAgain =
  | { readonly ok: true; readonly suggestion: Suggestion }
  | { readonly ok: false; readonly why: "stale" | "not-proved"; readonly message: string };

/** By id, from a report that was made under `rulesVersion`. What comes back is what to write. */
export async function proveAgain(
  { id, rulesVersion }: { readonly id: string; readonly rulesVersion: string },
  history: Iterable<HistoryCall>,
  options: Omit<SuggestOptions, "kinds">,
): Promise<ProvedAgain> {
  if (options.judge.rulesVersion !== rulesVersion) {
    const message = "The rules have changed since this was suggested. Ask for suggestions again.";
    return { ok: false, why: "stale", message };
  }
  const { suggestions } = await suggest(history, options);
  const suggestion = suggestions.find((one) => one.id === id);
  if (suggestion?.state === "ready") return { ok: true, suggestion };
  const message =
    "The calls and answers on record no longer bear this suggestion out. Ask for suggestions again.";
  return { ok: false, why: "not-proved", message };
}
