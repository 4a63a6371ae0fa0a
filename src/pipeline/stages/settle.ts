/** permit: what a decision of the policies comes to, once silence, doubt and hooks have had their say. */
import { byDefault, type Decision, stricter } from "../../rules/decision.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";

/** All three, without a trace in the call. */
export function settle(call: Call, decision: Decision, parts: DecidingParts): Decision {
  let settled = decision.verdict === "abstain" ? tighten(decision, parts) : decision;
  if (settled.unsure === true && call.unsure !== "ask") settled = withoutDoubt(call, settled, parts);
  return call.askedBy === undefined ? settled : stricter(settled, call.askedBy);
}

/** For a caller that does not want a question about what nobody can read in advance. */
export function withoutDoubt({ unsure }: Call, doubt: Decision, parts: DecidingParts): Decision {
  return unsure === "deny" ? { ...doubt, verdict: "deny" } : tighten({ ...doubt, verdict: "abstain" }, parts);
}

/** `checkDefault` turns silence about an agent's own tools into a question or a no. */
export function tighten(decision: Decision, { checkDefault }: DecidingParts): Decision {
  if (checkDefault === "abstain") return decision;
  return { ...decision, verdict: checkDefault, rule: byDefault(`checkDefault: ${checkDefault}`) };
}
