/** One question to a person: opened at the desk, put to the approver if there is one, waited for. */

import type { ApprovalEnd, ApprovalRequest, Approver } from "../../core/call/approval.ts";
import { messageOf, Stop } from "../../core/call/errors.ts";
import { onAbort } from "../../core/run/abort.ts";
import type { Call } from "../calls.ts";
import type { GateParts } from "../parts.ts";
import { bindingOf } from "./bindings.ts";
import { meaningOf } from "./meaning.ts";

export interface Asked {
  readonly request: ApprovalRequest;
  /** Undefined: too many wait already. */
  readonly end: ApprovalEnd | undefined;
}

export async function askPerson(call: Call, parts: GateParts): Promise<Asked> {
  const request = requestFor(call, parts);
  if (!(await parts.desk.open(request))) return { request, end: undefined };
  // Waiting begins before anybody is told: an answer given at once must find us waiting.
  const waiting = parts.desk.wait(request.id);
  parts.events.emit("approval-request", { request });
  const asking = new AbortController();
  // Where the desk itself no longer works, nobody else would end the wait.
  const gaveUp = Promise.withResolvers<ApprovalEnd>();
  const stopListening = onAbort(call.signal, () => void withdraw(request.id, gaveUp.resolve, parts));
  const approver = call.approver ?? parts.approver;
  if (approver !== undefined) void askApprover(request, approver, asking.signal, parts).catch(gaveUp.reject);
  try {
    const end = await Promise.race([waiting, gaveUp.promise]);
    if ("answer" in end) parts.events.emit("approval-answer", { id: request.id, answer: end.answer });
    return { request, end };
  } finally {
    stopListening();
    asking.abort();
  }
}

async function withdraw(id: string, giveUp: (end: ApprovalEnd) => void, { desk }: GateParts): Promise<void> {
  try {
    await desk.withdraw(id);
  } catch {
    // The desk keeps a question that nobody waits for; an answer to it can no longer be claimed by this call.
    giveUp({ state: "withdrawn" });
  }
}

export function refusal(
  end: Exclude<ApprovalEnd, { state: "approved" }>,
  { id, toolId, rule }: ApprovalRequest,
): Stop {
  if (end.state === "expired") {
    return new Stop("approval_expired", "approve", `Nobody answered in time whether ${toolId} may run.`, {
      rule,
    });
  }
  if (end.state === "withdrawn") {
    return new Stop(
      "cancelled",
      "approve",
      `The call was cancelled while ${toolId} waited for an approval.`,
      { rule },
    );
  }
  const { by, reason, via } = end.answer;
  const approval = { kind: "approval" as const, id, by, ...(via !== undefined && { via }) };
  const details = { rule, approval };
  const why = reason ? `: ${reason}` : ".";
  if (end.becauseOf === undefined)
    return new Stop("approval_denied", "approve", `${by} denied ${toolId}${why}`, details);
  const message = `${by} denied another call of this session, so ${toolId} was rejected too${why}`;
  return new Stop("rejected_with_another", "approve", message, details);
}

/** An approver that breaks, or may not answer, has not said yes. */
async function askApprover(
  request: ApprovalRequest,
  approver: Approver,
  signal: AbortSignal,
  { desk }: GateParts,
): Promise<void> {
  const deny = (reason: string) =>
    desk.answer(request.id, {
      decision: "deny",
      by: "the gate",
      reason: `the approver "${approver.name}" could not answer: ${reason}`,
    });
  try {
    const answer = await approver.ask(request, { signal });
    const { name: by, via } = approver;
    const taken = await desk.answer(request.id, { ...answer, by, ...(via !== undefined && { via }) });
    if (!taken.ok && (taken.code === "self_approval" || taken.code === "bad_answer"))
      await deny(taken.message);
  } catch (error) {
    if (!signal.aborted) await deny(messageOf(error));
  }
}

function requestFor(call: Call, parts: GateParts): ApprovalRequest {
  const { registered, planned, decision } = call;
  const createdAt = parts.clock.now();
  return Object.freeze({
    ...bindingOf(call, parts),
    id: parts.ids.secret(),
    callId: call.callId,
    sessionId: call.sessionId,
    toolUseId: call.toolUseId,
    ...(call.agent !== undefined && { agent: call.agent }),
    project: call.roots[0] ?? call.cwd,
    title: registered?.tool.title ?? planned.id,
    description: registered?.tool.description ?? "",
    input: call.input,
    meaning: meaningOf(call, parts),
    policyVersion: call.plan.version,
    reason: decision.message,
    rule: decision.rule,
    createdAt,
    expiresAt: createdAt + parts.approvalTimeoutMs,
  });
}
