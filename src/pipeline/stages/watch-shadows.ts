/** permit, beside the verdict: what policies in shadow mode would have made of the call. Changes nothing. */
import { messageOf } from "../../core/call/errors.ts";
import type { Verdict } from "../../core/call/outcome.ts";
import type { RoleValues } from "../../core/input/input-roles.ts";
import type { ShadowVerdict } from "../../core/ports/ports.ts";
import type { PlannedShadow } from "../../rules/compile-plan.ts";
import { decide, mayConcern } from "../../rules/decide.ts";
import type { Decision } from "../../rules/decision.ts";
import type { Subject } from "../../rules/subject.ts";
import type { HookedCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { View } from "./call-view.ts";
import { placesOf } from "./opened-paths.ts";
import { settle } from "./settle.ts";

/**
 * After the real decision. Each is judged as if it alone were in force besides those that are. A call that is
 * decided again after a person's yes keeps what was said when the question came up.
 */
export function watchShadows(call: HookedCall, roles: RoleValues | undefined, parts: DecidingParts): void {
  if (call.shadows !== undefined) return;
  try {
    const said = judgeAll(call, roles, parts);
    if (said.length > 0) call.shadows = said;
  } catch (error) {
    // What only watches must not stop a call. Its numbers are too low then, never too high.
    call.trace?.push({ stage: "permit", finding: `shadow: cannot be judged: ${messageOf(error)}` });
  }
}

function judgeAll(call: HookedCall, roles: RoleValues | undefined, parts: DecidingParts): ShadowVerdict[] {
  const said: ShadowVerdict[] = [];
  // One for all: patterns that take too long take it once.
  const view = new View(call, roles, parts);
  let subjects: readonly Subject[] | undefined;
  for (const shadow of call.plan.shadows) {
    const { policy } = shadow;
    // It may look below a folder that nothing in force looks into.
    const looksBelow = policy.namesPath && policy.action !== "approve";
    if (!looksBelow) subjects ??= call.subjects ?? placesOf(call, roles, parts).subjects;
    const own = looksBelow ? placesOf(call, roles, parts, shadow.among).subjects : subjects;
    const decision = judge(shadow, own ?? [], { call, view, parts });
    if (decision === undefined) continue;
    const verdict = toVerdict(decision);
    if (decision.rule !== policy.ref && verdict === toVerdict(call.decision)) continue;
    said.push({ rule: policy.ref.name, wording: policy.shadow ?? "", verdict });
    const finding = `shadow: with policy "${policy.ref.name}" in force it would be ${decision.verdict}`;
    call.trace?.push({ stage: "permit", finding, rule: policy.ref });
  }
  return said;
}

interface Watched {
  readonly call: HookedCall;
  readonly view: View;
  readonly parts: DecidingParts;
}

/** Undefined: it has no say in this call. */
function judge(
  { policy, among }: PlannedShadow,
  subjects: readonly Subject[],
  { call, view, parts }: Watched,
): Decision | undefined {
  const { mode, otherwise } = call;
  if (!mayConcern(policy, subjects, { view, mode })) return undefined;
  return settle(call, decide(subjects, { policies: among, view, mode, otherwise }), parts);
}

function toVerdict({ verdict }: Decision): Verdict {
  return verdict === "approve" ? "allow" : verdict;
}
