/** How a call ended, as it goes over the wire: without the value of the tool's own code. */

import type { Stop } from "../../core/call/errors.ts";
import type { Outcome } from "../../core/call/outcome.ts";
import { defined } from "../../core/input/defined.ts";
import type { CallOutcome, Refusal } from "./contract.ts";

export function outcomeJson(outcome: Outcome): CallOutcome {
  const { ok, callId, tool, durationMs, result, contexts, taskEnd, approval } = outcome;
  const error = outcome.ok ? undefined : refusalJson(outcome.error);
  return defined({ ok, callId, tool, durationMs, result, contexts, taskEnd, approval, error });
}

export function refusalJson({ code, stage, message, hint, ...more }: Stop): Refusal {
  const { rule, retryAfterMs, issues, approval } = more;
  return defined({ code, stage, message, hint, rule, retryAfterMs, issues, approval });
}
