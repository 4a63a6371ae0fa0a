/** The same walk without the run: for an agent that runs the tool itself, and to explain a decision. */
import { type RuleRef, Stop } from "../core/call/errors.ts";
import type { CheckResult, Explanation, Verdict } from "../core/call/outcome.ts";
import type { TaskEnd } from "../core/ports/tasks.ts";
import { approveLimited, decideCall } from "./admit.ts";
import type { Call, LimitedCall, ResolvedCall } from "./calls.ts";
import type { DecidingParts, GateParts } from "./parts.ts";
import { afterHooks } from "./stages/after-hooks.ts";
import { endApproval, previewApproval } from "./stages/approve.ts";
import { record } from "./stages/record.ts";
import { resolve } from "./stages/resolve.ts";
import { Trace } from "./trace.ts";
import { internalError } from "./walk.ts";

/** Waits for a person where a rule asks. `mayWait` is only asked then; without it the answer is `ask`. */
export async function checkAndWait(
  call: Call,
  mayWait: () => boolean,
  parts: GateParts,
): Promise<CheckResult> {
  const result = await check(call, (resolved) => admitWaiting(resolved, mayWait, parts), parts);
  // The agent runs it: for us it ends here.
  if (result.approval !== undefined) endApproval(result.approval, parts);
  return result;
}

/** Asks nobody: what needs a person comes back as `ask`. */
export function checkOnly(call: Call, parts: DecidingParts): Promise<CheckResult> {
  return check(call, preview, parts);
}

async function check<Parts extends DecidingParts>(
  call: Call,
  decide: (call: ResolvedCall, parts: Parts) => Promise<CheckResult>,
  parts: Parts,
): Promise<CheckResult> {
  let result: CheckResult;
  try {
    const resolved = resolve(call, parts);
    if (resolved instanceof Stop) result = denied(call, call.askedFor, resolved);
    else result = await decide(resolved, parts);
  } catch (error) {
    result = denied(call, call.askedFor, internalError(error, "permit"));
  } finally {
    call.release?.();
  }
  const durationMs = parts.clock.monotonic() - call.startedAt;
  const failed = await record(call, { ...result, durationMs }, parts);
  return failed === undefined ? result : denied(call, result.tool, failed);
}

/** What came of a tool that an agent ran itself. */
export interface AgentsRun {
  readonly result: unknown;
  /** Set when the tool failed. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** What hooks said about a call that has run. */
export interface LookedBack {
  readonly contexts: readonly string[];
  /** One of them ended the task of the session. */
  readonly taskEnd: TaskEnd | undefined;
  /** One of them failed, and fails closed. */
  readonly stop: Stop | undefined;
}

/** The agent has run the tool: its hooks look at what came of it. */
export async function lookBack(
  call: Call,
  { result, error, durationMs }: AgentsRun,
  parts: DecidingParts,
): Promise<LookedBack> {
  try {
    const resolved = resolve(call, parts);
    if (resolved instanceof Stop) return { contexts: [], taskEnd: undefined, stop: resolved };
    const failed = error === undefined ? undefined : new Stop("tool_failed", "run", error);
    const stop = await afterHooks(resolved, { stop: failed, result, durationMs }, parts);
    return { contexts: resolved.contexts, taskEnd: resolved.taskEnd, stop };
  } catch (problem) {
    return { contexts: [], taskEnd: undefined, stop: internalError(problem, "after-hooks") };
  }
}

/** Every stage's finding. Asks nobody, takes no limit, runs nothing, records nothing. */
export async function explainTool(call: Call, parts: DecidingParts): Promise<Explanation> {
  const trace = call.trace ?? new Trace();
  try {
    const resolved = resolve(call, parts);
    if (resolved instanceof Stop) return explained(call.askedFor, resolved, trace);
    const limited = await decideCall(resolved, parts);
    if (limited instanceof Stop) return explained(call.planned.id, limited, trace);
    const { verdict, finding } = await previewApproval(limited, parts);
    trace.push({ stage: "approve", finding });
    const { rule, message } = call.decision;
    const stage = verdict === "ask" ? "approve" : "permit";
    const { findings: walk } = trace;
    return { verdict, tool: call.planned.id, stage, ...ruleParts(rule), message, walk };
  } catch (error) {
    return explained(call.askedFor, internalError(error, "permit"), trace);
  }
}

async function admitWaiting(
  call: ResolvedCall,
  mayWait: () => boolean,
  parts: GateParts,
): Promise<CheckResult> {
  const asked = call.input;
  const limited = await decideCall(call, parts);
  if (limited instanceof Stop) return denied(call, call.planned.id, limited);
  if (call.decision.verdict === "ask" && !mayWait()) return previewed(limited, asked, parts);
  const admitted = await approveLimited(limited, parts);
  if (admitted instanceof Stop) return denied(call, call.planned.id, admitted);
  const verdict = call.decision.verdict === "abstain" ? "abstain" : "allow";
  return passed(call, asked, verdict, admitted.approval && { approval: admitted.approval });
}

async function preview(call: ResolvedCall, parts: DecidingParts): Promise<CheckResult> {
  const asked = call.input;
  const limited = await decideCall(call, parts);
  return limited instanceof Stop ? denied(call, call.planned.id, limited) : previewed(limited, asked, parts);
}

async function previewed(call: LimitedCall, asked: unknown, parts: DecidingParts): Promise<CheckResult> {
  const { verdict } = await previewApproval(call, parts);
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

function explained(tool: string, stop: Stop, trace: Trace): Explanation {
  const { stage, message, hint, code } = stop;
  const walk = trace.endedBy(stop);
  return { verdict: "deny", tool, stage, code, ...ruleParts(stop.rule), message, hint, walk };
}

function ruleParts(rule: RuleRef | undefined): { rule?: RuleRef; source?: string } {
  if (rule?.source === undefined) return rule === undefined ? {} : { rule };
  const { file, line } = rule.source;
  return { rule, source: line === undefined ? file : `${file}:${line}` };
}
