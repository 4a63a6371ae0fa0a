/** How often rules decided, together with the rules in force: those that never did are worth a look, too. */
import type { RuleRef } from "../../../core/call/errors.ts";
import { defined } from "../../../core/input/defined.ts";
import type { LedgerRuleCounts } from "../../../core/ports/ledger-reader.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { RuleHits } from "../contract.ts";

export function countHits(
  { routes, policies }: Gate["rules"],
  { rules, records, complete }: LedgerRuleCounts,
): Omit<RuleHits, "since" | "until"> {
  const inForce = new Map<string, RuleRef>();
  for (const [kind, all] of [
    ["route", routes],
    ["policy", policies],
  ] as const)
    for (const { name, tier, source, ...rest } of all) {
      // One in shadow mode decides nothing; what it would have done is counted with the suggestions.
      if ("mode" in rest && rest.mode === "shadow") continue;
      const rule = defined({ kind, name, tier, source }) as RuleRef;
      inForce.set(keyOf(rule), rule);
    }
  const seen = new Set(rules.flatMap(({ rule }) => (rule === undefined ? [] : keyOf(rule))));
  return {
    records,
    complete,
    hits: rules.flatMap(({ rule, count, lastAt, allow, ask, deny }) => {
      if (rule === undefined) return [];
      // Where it stands today.
      const now = inForce.get(keyOf(rule));
      return [{ rule: now ?? rule, count, lastAt, allow, ask, deny, inForce: now !== undefined }];
    }),
    neverMatched: [...inForce].flatMap(([key, rule]) => (seen.has(key) ? [] : [rule])),
  };
}

function keyOf({ kind, name, source }: RuleRef): string {
  return JSON.stringify([kind, name, source?.file]);
}
