/** The walk up to the run: every stage in its fixed order, here and nowhere else. */
import { Stop } from "../core/call/errors.ts";
import type { JsonObject } from "../core/input/json.ts";
import type { HookedCall, LimitedCall, ResolvedCall, RoutedCall } from "./calls.ts";
import type { DecidingParts, GateParts } from "./parts.ts";
import { type AdmittedCall, approve } from "./stages/approve.ts";
import { beforeHooks } from "./stages/before-hooks.ts";
import { explainEnded } from "./stages/ended-task.ts";
import { limit } from "./stages/limit.ts";
import { permit } from "./stages/permit.ts";
import { route } from "./stages/route.ts";
import { validate } from "./stages/validate.ts";
import { andThen, passed, type Step } from "./step.ts";
import { stopTraced } from "./trace.ts";

export function admit(call: ResolvedCall, parts: GateParts): Step<AdmittedCall> {
  const limited = decideCall(call, parts);
  return passed(limited, call) ? approveLimited(limited, parts) : andThen(limited, approveLimited, parts);
}

/** Everything that machines decide. */
export function decideCall(call: ResolvedCall, parts: DecidingParts): Step<LimitedCall> {
  const ended = explainEnded(call, "resolve", parts);
  if (ended !== undefined) return stopTraced(call, ended, ended.message);
  return call.plan.onlyPolicies && call.trace === undefined
    ? decideByPolicies(call, parts)
    : decideByAll(call, parts);
}

/** Leaves out stages that no rule gives work to. The casts stand for them: nothing else may skip a stage. */
function decideByPolicies(call: ResolvedCall, parts: DecidingParts): Step<LimitedCall> {
  const valid = validate(call as RoutedCall, parts) as Step<HookedCall>;
  const permitted = passed(valid, call) ? permit(valid, parts) : andThen(valid, permit, parts);
  return permitted as Step<LimitedCall>;
}

function decideByAll(call: ResolvedCall, parts: DecidingParts): Step<LimitedCall> {
  const routed = route(call, parts);
  const valid = passed(routed, call) ? validate(routed, parts) : andThen(routed, validate, parts);
  const hooked = passed(valid, call) ? beforeHooks(valid, parts) : andThen(valid, beforeHooks, parts);
  const permitted = passed(hooked, call) ? permit(hooked, parts) : andThen(hooked, permit, parts);
  return passed(permitted, call) ? limit(permitted, parts) : andThen(permitted, limit, parts);
}

export function approveLimited(call: LimitedCall, parts: GateParts): Step<AdmittedCall> {
  return approve(call, recheck, parts);
}

/**
 * After a person said yes: is it still the same tool, and do today's rules still let it pass? A deny added
 * while the person was thinking wins. An edited input walks all the deciding stages again.
 */
function recheck(call: LimitedCall, edited: JsonObject | undefined, parts: GateParts): Step<HookedCall> {
  const ended = explainEnded(call, "approve", parts);
  if (ended !== undefined) return ended;
  const { registered } = call;
  const current = registered === undefined ? undefined : parts.registry.get(registered.id);
  if (current?.tool !== registered?.tool || current?.definitionHash !== registered?.definitionHash) {
    const message = `${call.planned.id} was changed or removed while its approval was waiting.`;
    return new Stop("approval_stale", "approve", message);
  }
  const { plan, planned } =
    current === undefined ? parts.plans.ofForeign(call.askedFor) : parts.plans.of(current);
  call.registered = current;
  call.plan = plan;
  call.planned = planned;
  if (edited === undefined)
    return andThen(
      andThen(route(call, parts), () => call, parts),
      permit,
      parts,
    );
  call.input = edited;
  return andThen(andThen(andThen(route(call, parts), validate, parts), beforeHooks, parts), permit, parts);
}
