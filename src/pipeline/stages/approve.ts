/** approve: a person's yes where a rule asks for it. The only place where an admitted call is made. */
import type { ApprovalAnswer, ApprovalRequest } from "../../core/call/approval.ts";
import { Stop } from "../../core/call/errors.ts";
import type { ApprovalRef } from "../../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { asPromise } from "../../core/run/abort.ts";
import type { Call, HookedCall, LimitedCall } from "../calls.ts";
import type { DecidingParts, GateParts } from "../parts.ts";
import type { Step } from "../step.ts";
import { askPerson, refusal } from "./ask-person.ts";
import { bindingOf, findGrant, grantFrom, meaningHashesOf } from "./bindings.ts";
import { explainUnseen } from "./edited-meaning.ts";
import { explainEnded } from "./ended-task.ts";
import { explainChange, meaningNow, meaningOf } from "./meaning.ts";

/** Decides again on what would run now: by today's rules, and with the input as the person edited it. */
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
  // Another call of the turn may have been denied while this one was on its way here.
  const ended = explainEnded(call, "approve", parts);
  if (ended !== undefined) return ended;
  const { request, end } = await askPerson(call, parts);
  if (end === undefined && parts.isClosed()) {
    return new Stop("cancelled", "approve", "The gate was closed before anybody could be asked.", { rule });
  }
  if (end === undefined) {
    const told = `${call.planned.id} needs a person's approval, and too many calls wait for one already.`;
    return new Stop("too_many_waiting", "approve", told, { rule });
  }
  if (end.state !== "approved") {
    const refused = refusal(end, request);
    await endTurn(call, refused, parts);
    return refused;
  }
  const approval = await claim(call, { request, answer: end.answer, recheck }, parts);
  if (!(approval instanceof Stop)) return new Admitted(call, approval);
  // An approval that could not be used is gone: it must not wait for a call that looks like this one.
  await parts.desk.withdraw(request.id);
  return approval;
}

/** A person's no is meant for the model's whole plan: what follows in the same turn was built on this call. */
async function endTurn(
  call: LimitedCall,
  { code, message, approval }: Stop,
  parts: GateParts,
): Promise<void> {
  const { caller, sessionId = "", turnId } = call;
  if (turnId === undefined || code !== "approval_denied" || parts.desk.rejectsOthers === false) return;
  const end = { kind: "rejected" as const, by: approval?.by ?? "A person", message, at: parts.clock.now() };
  await parts.tasks.end({ callerId: caller.id, sessionId, turnId }, end);
}

/** What approve would do, without asking anybody. */
export async function previewApproval(
  call: LimitedCall,
  parts: DecidingParts,
): Promise<{ readonly verdict: "allow" | "ask" | "abstain"; readonly finding: string }> {
  const { verdict } = call.decision;
  if (verdict === "abstain") {
    return { verdict, finding: "no rule speaks about this call; the agent's own prompts apply" };
  }
  if (verdict !== "ask") return { verdict: "allow", finding: "no approval needed" };
  const grant = await findGrant(call, parts);
  if (grant !== undefined) return { verdict: "allow", finding: `granted by ${grant.by} (${grant.scope})` };
  return { verdict, finding: `a person must approve it${whereAsked(call, parts)}` };
}

/** Agents that run a call themselves can have prompts of their own, which nobody knows about here. */
function whereAsked(call: LimitedCall, parts: DecidingParts): string {
  if (call.kind === "check")
    return call.decision.unsure === true
      ? ", unless the agent's own prompt is on and decides (hooks.unsure)"
      : ", in toolgate approvals or in the agent's own prompt (hooks.ask); without either it is refused";
  return nobodyCanBeAsked(call, parts) ? ", and nobody can be asked, so it would be refused" : "";
}

function nobodyCanBeAsked({ approver }: Call, parts: DecidingParts): boolean {
  return approver === undefined && parts.approver === undefined && !parts.attended;
}

interface Answered {
  readonly request: ApprovalRequest;
  readonly answer: ApprovalAnswer;
  readonly recheck: Recheck;
}

/** Uses the answer up, if what would run now is exactly what was approved. */
async function claim(
  call: LimitedCall,
  { request, answer, recheck }: Answered,
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
  const changed = explainOtherMeaning(now, request, edited, parts);
  if (changed !== undefined) return staleApproval(request.toolId, changed);
  // Where today's rules would not even ask, it is still the question of then that was answered.
  const asking = now.decision.verdict === "ask" ? now.decision.rule : request.rule;
  const meaning = meaningHashesOf(now, parts, asking);
  const binding = bindingOf(now, parts);
  // What an edited input means was looked at above; the question was about another one.
  const meaningHash = edited === undefined ? meaning.here : request.meaningHash;
  if (!(await parts.desk.claim(request.id, { ...binding, meaningHash }))) {
    const why =
      edited === undefined
        ? "the input, or the rule that asks, is another one"
        : "a route or a hook changed the edited input again";
    return staleApproval(request.toolId, why);
  }
  const { permission } = now.planned;
  const granted = { owner: now.caller.owner, permission, inputHash: binding.inputHash, meaning };
  const grant = grantFrom(request, answer, granted, parts);
  if (grant !== undefined) await parts.grants.add(grant);
  const { by, via } = answer;
  return { kind: "approval", id: request.id, by, ...(via !== undefined && { via }) };
}

function explainOtherMeaning(
  now: Call,
  { meaning }: ApprovalRequest,
  edited: JsonObject | undefined,
  parts: GateParts,
): string | undefined {
  const { input, cwd, roots } = now;
  return edited === undefined
    ? explainChange(meaning, meaningOf(now, parts))
    : explainUnseen(meaning, meaningOf(now, parts), { input, cwd, roots, home: parts.home });
}

/** Somebody put something else in the place of what was approved, by mistake or on purpose. */
function staleApproval(toolId: string, why: string): Stop {
  const message = `What was approved is not what ${toolId} would run now (${why}); the approval is void.`;
  return new Stop("approval_stale", "approve", message);
}

/** Looked at once more when the tool starts: a call that it waited for may have moved things. */
export function explainStale({ call, approval }: AdmittedCall, parts: GateParts): Stop | undefined {
  if (approval === undefined || call.subjects === undefined) return undefined;
  const changed = explainChange(meaningOf(call, parts), meaningNow(call, parts));
  return changed === undefined ? undefined : staleApproval(call.planned.id, changed);
}

/**
 * Tells the desk that an approved call has ended, so that nobody takes it for one that a crash interrupted.
 * The outcome does not wait: an end that could not be kept reads `unknown` later, which is the careful
 * reading.
 */
export function endApproval({ kind, id }: ApprovalRef, { desk }: GateParts): void {
  if (kind !== "approval") return;
  try {
    asPromise(desk.done(id))?.catch(() => {});
  } catch {
    // As above.
  }
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
