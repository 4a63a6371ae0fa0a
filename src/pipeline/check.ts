/** The same walk without the run: for an agent that runs the tool itself, and to explain a decision. */
import { type RuleRef, Stop } from "../core/call/errors.ts";
import type { CheckResult, Explanation, Finding, Verdict } from "../core/call/outcome.ts";
import { admit, decideCall } from "./admit.ts";
import type { Call, ResolvedCall } from "./calls.ts";
import type { GateParts } from "./parts.ts";
import { previewApproval } from "./stages/approve.ts";
import { endApproval } from "./stages/end-approval.ts";
import { record } from "./stages/record.ts";
import { resolve } from "./stages/resolve.ts";
import { internalError } from "./walk.ts";

/** `wait: false` reports an ask instead of waiting for a person. */
export async function checkTool(call: Call, wait: boolean, parts: GateParts): Promise<CheckResult> {
  let result: CheckResult;
  try {
    const resolved = resolve(call, parts);
    if (resolved instanceof Stop) result = denied(call, call.askedFor, resolved);
    else result = wait ? await checkWaiting(resolved, parts) : await checkOnly(resolved, parts);
  } catch (error) {
    result = denied(call, call.askedFor, internalError(error, "permit"));
  } finally {
    call.release?.();
  }
  const { tool, verdict, error, rule, approval } = result;
  const durationMs = parts.clock.monotonic() - call.startedAt;
  const failed = await record(call, tool, verdict, error, rule, approval, undefined, durationMs, parts);
  if (failed !== undefined) return denied(call, tool, failed);
  // The agent runs it: for us it ends here.
  if (approval !== undefined) endApproval(approval, parts);
  return result;
}

/** Every stage's finding. Asks nobody, takes no limit, runs nothing, records nothing. */
export async function explainTool(call: Call, parts: GateParts): Promise<Explanation> {
  const walk = call.trace ?? [];
  try {
    const resolved = resolve(call, parts);
    if (resolved instanceof Stop) return explained(call.askedFor, resolved, walk);
    const limited = await decideCall(resolved, parts);
    if (limited instanceof Stop) return explained(call.planned.id, limited, walk);
    const { verdict, finding } = await previewApproval(limited, parts);
    walk.push({ stage: "approve", finding });
    const { rule, message } = call.decision;
    const stage = verdict === "ask" ? "approve" : "permit";
    return { verdict, tool: call.planned.id, stage, ...ruleParts(rule), message, walk };
  } catch (error) {
    return explained(call.askedFor, internalError(error, "permit"), walk);
  }
}

async function checkWaiting(call: ResolvedCall, parts: GateParts): Promise<CheckResult> {
  const asked = call.input;
  const admitted = await admit(call, parts);
  if (admitted instanceof Stop) return denied(call, call.planned.id, admitted);
  const verdict = call.decision.verdict === "abstain" ? "abstain" : "allow";
  return passed(call, asked, verdict, admitted.approval && { approval: admitted.approval });
}

async function checkOnly(call: ResolvedCall, parts: GateParts): Promise<CheckResult> {
  const asked = call.input;
  const limited = await decideCall(call, parts);
  if (limited instanceof Stop) return denied(call, call.planned.id, limited);
  const { verdict } = await previewApproval(limited, parts);
  const { message } = call.decision;
  return passed(call, asked, verdict, verdict === "ask" ? { stage: "approve", message } : undefined);
}

function passed(
  call: Call,
  asked: unknown,
  verdict: Verdict,
  more: Partial<CheckResult> | undefined,
): CheckResult {
  const { callId, planned, decision, input, contexts } = call;
  return {
    callId,
    verdict,
    tool: planned.id,
    ...(decision.rule && { rule: decision.rule }),
    ...(input !== asked && { input }),
    contexts,
    ...more,
  };
}

function denied(call: Call, tool: string, error: Stop): CheckResult {
  const { stage, message, hint, rule } = error;
  const { callId, contexts } = call;
  return { callId, verdict: "deny", tool, stage, message, hint, ...(rule && { rule }), error, contexts };
}

function explained(tool: string, stop: Stop, walk: readonly Finding[]): Explanation {
  const { stage, message, hint, code } = stop;
  const last = walk.at(-1);
  const told =
    last?.stage === stage && last.finding.includes(message) ? walk : [...walk, { stage, finding: message }];
  return { verdict: "deny", tool, stage, code, ...ruleParts(stop.rule), message, hint, walk: told };
}

function ruleParts(rule: RuleRef | undefined): { rule?: RuleRef; source?: string } {
  if (rule?.source === undefined) return rule === undefined ? {} : { rule };
  const { file, line } = rule.source;
  return { rule, source: line === undefined ? file : `${file}:${line}` };
}
