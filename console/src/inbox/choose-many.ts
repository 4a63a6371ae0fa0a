/** Several questions at once: only of the same tool and the same rule, and none that is dangerous. */
import type { Approval } from "toolgate/contract";

/** Why the question cannot be answered together with those that are chosen; undefined: it can. */
export function whyNotTogether(
  one: Approval,
  isDangerous: boolean,
  chosen: readonly Approval[],
): string | undefined {
  if (isDangerous) return "Dangerous questions are answered one by one.";
  const [first] = chosen;
  if (first === undefined) return undefined;
  if (first.tool !== one.tool) return `Only questions of one tool are answered together: ${first.tool}.`;
  if (first.rule?.name !== one.rule?.name || first.rule?.kind !== one.rule?.kind)
    return "Only questions of one rule are answered together.";
  return undefined;
}
