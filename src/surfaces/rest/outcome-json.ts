/** How a call ended, as it goes over the wire: without the value of the tool's own code, and without fields that say nothing. */
import type { Stop } from "../../core/call/errors.ts";
import type { Outcome } from "../../core/call/outcome.ts";
import type { CallOutcome, Refusal } from "./contract.ts";

export function outcomeJson(outcome: Outcome): CallOutcome {
  const { ok, callId, tool, durationMs, result, contexts, approval } = outcome;
  return {
    ok,
    callId,
    tool,
    durationMs,
    result,
    contexts,
    ...(approval && { approval }),
    ...(!outcome.ok && { error: refusalJson(outcome.error) }),
  };
}

export function refusalJson({ code, stage, message, hint, ...more }: Stop): Refusal {
  const { rule, retryAfterMs, issues, approval } = more;
  return {
    code,
    stage,
    message,
    hint,
    ...(rule && { rule }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(issues && { issues }),
    ...(approval && { approval }),
  };
}
