/** The whole walk for a call that we run. Check and explain pass the same stages (see check.ts). */

import { textResult } from "../core/call/content.ts";
import { messageOf, type Stage, Stop } from "../core/call/errors.ts";
import type { Outcome } from "../core/call/outcome.ts";
import { isPromise } from "../core/run/abort.ts";
import { admit } from "./admit.ts";
import type { Call } from "./calls.ts";
import type { GateParts } from "./parts.ts";
import { execute } from "./run/execute.ts";
import { type Finishing, type RunEnd, stopText } from "./run/run-end.ts";
import { type AdmittedCall, endApproval, isAdmitted } from "./stages/approve.ts";
import { record } from "./stages/record.ts";
import { resolve } from "./stages/resolve.ts";
import { storeAway } from "./store-away.ts";

/** Never throws and never rejects: every end is an Outcome, and `parts.left` is told of each. */
export function callTool(call: Call, parts: GateParts): Promise<Outcome> {
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = walk(call, parts);
  } catch (error) {
    outcome = broken(call, error, parts);
  }
  return isPromise(outcome) ? outcome : Promise.resolve(outcome);
}

function walk(call: Call, parts: GateParts): Outcome | Promise<Outcome> {
  if (parts.events.has("call-start")) announce(call, parts);
  const resolved = resolve(call, parts);
  if (resolved instanceof Stop) return refuse(call, call.askedFor, resolved, parts);
  const admitted = admit(resolved, parts);
  if (isAdmitted(admitted)) return execute(admitted, finishing, parts);
  return isPromise(admitted) ? walkLater(call, admitted, parts) : walkOn(call, admitted, parts);
}

function announce({ callId, askedFor, sessionId, caller }: Call, { events }: GateParts): void {
  events.emit("call-start", { callId, tool: askedFor, sessionId, caller: caller.id });
}

function walkLater(call: Call, admitted: Promise<AdmittedCall | Stop>, parts: GateParts): Promise<Outcome> {
  call.waited = true;
  return admitted
    .then((settled) => walkOn(call, settled, parts))
    .catch((error: unknown) => broken(call, error, parts));
}

function walkOn(call: Call, admitted: AdmittedCall | Stop, parts: GateParts): Outcome | Promise<Outcome> {
  if (!(admitted instanceof Stop)) return execute(admitted, finishing, parts);
  call.release?.();
  return refuse(call, call.planned.id, admitted, parts);
}

const finishing: Finishing<Outcome> = {
  done: finish,
  broke: ({ call }, error, parts) => broken(call, error, parts),
};

function finish(admitted: AdmittedCall, end: RunEnd, parts: GateParts): Outcome | Promise<Outcome> {
  const { call, approval } = admitted;
  const { stop: error, value, result, endedAt } = end;
  const { callId, contexts, contextHooks, taskEnd, planned, decision } = call;
  const tool = planned.id;
  const durationMs = endedAt - call.startedAt;
  const outcome: Outcome =
    error === undefined
      ? { ok: true, callId, tool, value, result, contexts, contextHooks, taskEnd, durationMs, approval }
      : { ok: false, callId, tool, error, result, contexts, contextHooks, taskEnd, durationMs, approval };
  // A yes that was void when the tool would have started let nothing through.
  const verdict = error?.code === "approval_stale" ? "deny" : "allow";
  const { rule } = decision;
  const failed = record(call, { tool, verdict, error, rule, approval, result, durationMs }, parts);
  return close(call, outcome, failed, parts);
}

function refuse(call: Call, tool: string, error: Stop, parts: GateParts): Outcome | Promise<Outcome> {
  const outcome = refusal(call, tool, error, parts);
  const { result, durationMs } = outcome;
  const verdict = call.started ? "allow" : "deny";
  const failed = record(call, { tool, verdict, error, result, durationMs }, parts);
  return close(call, outcome, failed, parts);
}

/** What was not recorded did not succeed. */
function close(
  call: Call,
  outcome: Outcome,
  failed: Stop | undefined | Promise<Stop | undefined>,
  parts: GateParts,
): Outcome | Promise<Outcome> {
  if (isPromise(failed)) return closeLater(call, outcome, failed, parts);
  const end = failed === undefined ? outcome : refusal(call, outcome.tool, failed, parts);
  if (end.approval !== undefined) endApproval(end.approval, parts);
  if (parts.events.has("call-end"))
    parts.events.emit("call-end", { outcome: end, sessionId: call.sessionId });
  parts.left();
  return end;
}

function closeLater(
  call: Call,
  outcome: Outcome,
  failed: Promise<Stop | undefined>,
  parts: GateParts,
): Promise<Outcome> {
  return failed.then((settled) => close(call, outcome, settled, parts));
}

function refusal(call: Call, tool: string, error: Stop, parts: GateParts): Outcome {
  const { callId, contexts, contextHooks, taskEnd, startedAt } = call;
  const durationMs = parts.clock.monotonic() - startedAt;
  const result = textResult(stopText(error), true);
  const { approval } = error;
  return { ok: false, callId, tool, error, result, contexts, contextHooks, taskEnd, durationMs, approval };
}

function broken(call: Call, error: unknown, parts: GateParts): Outcome | Promise<Outcome> {
  if (call.started) return refuse(call, call.askedFor, brokenPart(error, "run"), parts);
  call.release?.();
  return refuse(call, call.askedFor, internalError(error, "run"), parts);
}

/** Something of ours broke: the call is stopped, because a gate that does not know must not let pass. */
export function internalError(error: unknown, stage: Stage): Stop {
  return storeAway(error) ?? brokenPart(error, stage);
}

function brokenPart(error: unknown, stage: Stage): Stop {
  const message = `The gate could not finish this call: ${messageOf(error)}`;
  return new Stop("internal_error", stage, message, { cause: error });
}
