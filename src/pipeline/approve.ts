/** approve: a person's yes where a rule asks for it. The only place where an admitted call is made. */
import type { ApprovalAnswer, ApprovalRequest } from "../core/approval.ts";
import { Stop } from "../core/errors.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { ApprovalRef } from "../core/outcome.ts";
import { askPerson, refusal } from "./ask-person.ts";
import { bindingOf, findGrant, grantFrom } from "./bindings.ts";
import type { Call, HookedCall, LimitedCall } from "./calls.ts";
import type { GateParts } from "./parts.ts";
import type { Step } from "./step.ts";

/** Decides again on what would really run now: with today's rules and, if the person edited it, the new input. */
export type Recheck = (
  call: LimitedCall,
  edited: JsonObject | undefined,
  parts: GateParts,
) => Step<HookedCall>;

export function approve(call: LimitedCall, recheck: Recheck, parts: GateParts): Step<AdmittedCall> {
  return call.decision.verdict === "ask" ? approveAsked(call, recheck, parts) : new Admitted(call, undefined);
}

async function approveAsked(call: LimitedCall, recheck: Recheck, parts: GateParts): Promise<Admitted | Stop> {
  const { message, rule } = call.decision;
  const grant = await findGrant(call, parts);
  if (grant !== undefined) return new Admitted(call, { kind: "grant", id: grant.id, by: grant.by });
  if (nobodyCanBeAsked(call, parts)) {
    const told = `${message} It needs a person's approval, and nobody can be asked.`;
    return new Stop("no_approver", "approve", told, { rule });
  }
  const { request, end } = await askPerson(call, parts);
  if (end === undefined && parts.isClosed()) {
    return new Stop("cancelled", "approve", "The gate was closed before anybody could be asked.", { rule });
  }
  if (end === undefined) {
    const told = `${call.planned.id} needs a person's approval, and too many calls wait for one already.`;
    return new Stop("too_many_waiting", "approve", told, { rule });
  }
  if (end.state !== "approved") return refusal(end, request);
  const approval = await claim(call, request, end.answer, recheck, parts);
  if (!(approval instanceof Stop)) return new Admitted(call, approval);
  // An approval that could not be used is gone: it must not wait for a call that looks like this one.
  await parts.desk.withdraw(request.id);
  return approval;
}

/** What approve would do, without asking anybody. */
export async function previewApproval(
  call: LimitedCall,
  parts: GateParts,
): Promise<{ readonly verdict: "allow" | "ask" | "abstain"; readonly finding: string }> {
  const { verdict } = call.decision;
  if (verdict === "abstain") {
    return { verdict, finding: "no rule speaks about this call; the agent's own prompts apply" };
  }
  if (verdict !== "ask") return { verdict: "allow", finding: "no approval needed" };
  const grant = await findGrant(call, parts);
  if (grant !== undefined) return { verdict: "allow", finding: `granted by ${grant.by} (${grant.scope})` };
  return {
    verdict,
    finding: `a person must approve it${nobodyCanBeAsked(call, parts) ? ", and nobody can be asked, so it would be refused" : ""}`,
  };
}

function nobodyCanBeAsked({ approver }: Call, parts: GateParts): boolean {
  return approver === undefined && parts.approver === undefined && !parts.attended;
}

/** Uses the answer up, if what would run now is exactly what was approved. */
async function claim(
  call: LimitedCall,
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  recheck: Recheck,
  parts: GateParts,
): Promise<ApprovalRef | Stop> {
  let edited: JsonObject | undefined;
  if (answer.input !== undefined) {
    const taken = parts.takeJson(answer.input);
    if (!taken.ok || !isJsonObject(taken.value)) {
      const why = taken.ok ? "it is not an object" : `${taken.path}: ${taken.message}`;
      return new Stop("approval_stale", "approve", `The edited input cannot be taken: ${why}`);
    }
    edited = taken.value;
  }
  const { isStillAllowed } = call;
  if (isStillAllowed !== undefined && (await isStillAllowed()) !== true) {
    const message = `Whoever called ${request.toolId} may not call it any more; the approval is void.`;
    const hint = "Its token was taken back, has expired or may do less: call again with one that may.";
    return new Stop("approval_stale", "approve", message, { hint });
  }
  const now = await recheck(call, edited, parts);
  if (now instanceof Stop) return now;
  const binding = bindingOf(now);
  if (!(await parts.desk.claim(request.id, binding))) {
    const why = edited === undefined ? "" : " A route or a hook changed the edited input again.";
    const message = `What was approved is not what ${request.toolId} would run now; the approval is void.${why}`;
    return new Stop("approval_stale", "approve", message);
  }
  const grant = grantFrom(request, answer, binding, now.planned.permission, parts);
  if (grant !== undefined) await parts.grants.add(grant);
  return { kind: "approval", id: request.id, by: answer.by };
}

/** The private field is the proof: no other code can make an object that has it. */
class Admitted {
  readonly #proof = true;
  readonly call: Call;
  readonly approval: ApprovalRef | undefined;

  constructor(call: LimitedCall, approval: ApprovalRef | undefined) {
    this.call = call;
    this.approval = approval;
  }

  static isAdmitted(value: unknown): value is Admitted {
    return typeof value === "object" && value !== null && #proof in value && value.#proof;
  }
}

export type AdmittedCall = Admitted;

export function isAdmitted(value: unknown): value is AdmittedCall {
  return Admitted.isAdmitted(value);
}
