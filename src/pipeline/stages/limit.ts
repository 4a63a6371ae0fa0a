/** limit: comes before people are asked, so that a flood of calls never becomes a flood of questions. */

import { Stop } from "../../core/call/errors.ts";
import type { LimitAnswer, LimitClaim } from "../../core/ports/ports.ts";
import { asPromise } from "../../core/run/abort.ts";
import { exactDuration } from "../../core/text/duration.ts";
import { type CompiledLimit, claimFor } from "../../rules/limits.ts";
import type { LimitedCall, PermittedCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import type { Step } from "../step.ts";
import { stopTraced } from "../trace.ts";

export function limit(call: PermittedCall, parts: DecidingParts): Step<LimitedCall> {
  if (call.plan.limits.length > 0) return takeLimits(call, parts);
  call.trace?.push({ stage: "limit", finding: "no limit concerns this tool" });
  return call as LimitedCall;
}

function takeLimits(call: PermittedCall, parts: DecidingParts): Step<LimitedCall> {
  const limits = limitsFor(call);
  const { planned, sessionId, caller } = call;
  // Whoever starts many sessions has not many times as much.
  const counted = {
    toolId: planned.id,
    category: planned.category,
    sessionId,
    caller: caller.owner ?? caller.id,
  };
  // We see an agent's own call begin but not end, so only its number can be limited.
  const countsRunning = call.kind === "call";
  const claims = new Array<LimitClaim>(limits.length);
  for (let index = 0; index < limits.length; index++)
    claims[index] = claimFor(limits[index] as CompiledLimit, counted, countsRunning);
  const answer = parts.limits.take(claims, call.at, call.dry);
  const waiting = asPromise(answer);
  return waiting === undefined
    ? finish(call, limits, answer as LimitAnswer)
    : waiting.then((settled) => finish(call, limits, settled));
}

/** Where nobody knows whether the caller is meant, the limit counts. */
function limitsFor({ plan: { limits }, caller: by }: PermittedCall): readonly CompiledLimit[] {
  if (limits.every(({ caller }) => caller === undefined)) return limits;
  return limits.filter(({ caller }) => caller === undefined || caller(by) !== false);
}

function finish(
  call: PermittedCall,
  limits: readonly CompiledLimit[],
  answer: LimitAnswer,
): LimitedCall | Stop {
  if (answer.ok) {
    call.release = answer.release;
    call.trace?.push({
      stage: "limit",
      finding: `within ${limits.length} limit${limits.length === 1 ? "" : "s"}`,
    });
    return call as LimitedCall;
  }
  return stopTraced(call, refusal(call, limits[answer.index], answer));
}

function refusal(
  call: PermittedCall,
  reached: CompiledLimit | undefined,
  { why, retryAfterMs }: LimitAnswer & { ok: false },
): Stop {
  const { name, max, windowMs = 0, concurrent } = reached?.limit ?? { name: "?" };
  const rule = reached?.ref;
  if (why === "concurrent") {
    const message = `Limit "${name}": ${concurrent} calls of ${call.planned.id} or its group run already.`;
    return new Stop("too_many_running", "limit", message, { rule });
  }
  const message = `Limit "${name}": at most ${max} calls in ${exactDuration(windowMs)}; try again in ${exactDuration(roundedUp(retryAfterMs ?? windowMs))}.`;
  return new Stop("rate_limited", "limit", message, { rule, retryAfterMs });
}

/** Nobody waits by the millisecond; too early would be refused again. */
function roundedUp(ms: number): number {
  return ms < 1_000 ? ms : Math.ceil(ms / 1_000) * 1_000;
}
