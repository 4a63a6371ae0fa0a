/** permit: what a decision of the policies comes to, once silence, doubt and hooks have had their say. */
import { byDefault, type Decision, stricter } from "../../rules/decision.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";

/** All three, without a trace in the call. */
export function settle(call: Call, decision: Decision, parts: DecidingParts): Decision {
  let settled = withoutSilence(decision, parts);
  if (isLeft(call, settled, parts)) settled = withoutDoubt(call, settled, parts);
  return call.askedBy === undefined ? settled : stricter(settled, call.askedBy);
}

/** A rule that may only narrow is no reason to ask about what is denied without it. */
export function withoutSilence(decision: Decision, parts: DecidingParts): Decision {
  const { verdict, without } = decision;
  if (verdict === "abstain") return tighten(decision, parts);
  if (without === undefined || parts.checkDefault !== "deny") return decision;
  const isSaid = without.verdict !== "abstain" && without.unsure !== true;
  return isSaid ? decision : tighten({ ...without, verdict: "abstain" }, parts);
}

/** Whether a doubt is decided like silence. Where silence is a no, a doubt is no reason to ask. */
export function isLeft(call: Call, { unsure }: Decision, { checkDefault }: DecidingParts): boolean {
  return unsure === true && (call.unsure !== "ask" || checkDefault === "deny");
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
