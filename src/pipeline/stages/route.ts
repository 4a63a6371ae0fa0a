/** route: a better tool instead of a bare no. Also for input that a route, a hook or a person changed. */
import { Stop } from "../../core/call/errors.ts";
import { readRoles } from "../../core/input/input-roles.ts";
import { isJsonObject } from "../../core/input/json.ts";
import { planFor } from "../../rules/compile-plan.ts";
import { findRoute, type RouteFinding } from "../../rules/find-route.ts";
import type { ResolvedCall, RoutedCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { stopTraced } from "../trace.ts";

/** More rewrites than this in one call means that they chase each other. */
export const maxRewrites = 8;

export function route(call: ResolvedCall, parts: DecidingParts): RoutedCall | Stop {
  takePlan(call);
  if (call.plan.routes.length > 0) return meetRoutes(call, parts);
  call.trace?.push({ stage: "route", finding: "no route concerns this tool" });
  return call as RoutedCall;
}

/** The input is another one: it may hold a command now. */
function takePlan(call: ResolvedCall): void {
  const { plan, planned } = call;
  if (plan.withCommand !== undefined) call.plan = planFor(plan, readRoles(planned.roles, call.input));
}

function meetRoutes(call: ResolvedCall, parts: DecidingParts): RoutedCall | Stop {
  for (let rewrites = 0; rewrites <= maxRewrites; rewrites++) {
    const { routes } = call.plan;
    const { planned, input, caller } = call;
    const found = findRoute(routes, { roles: planned.roles, input, caller }, parts.testAllPatterns);
    if (found === undefined) {
      call.trace?.push({ stage: "route", finding: `none of ${routes.length} routes stops it` });
      return call as RoutedCall;
    }
    if (found.kind === "block") return blocked(call, found);
    const { ref, route: rule } = found.by;
    const taken = parts.takeJson(found.input);
    if (!taken.ok || !isJsonObject(taken.value)) {
      const message = `Route "${rule.name}" made an input that cannot be taken.`;
      return new Stop("route_undecided", "route", message, { rule: ref });
    }
    call.trace?.push({ stage: "route", finding: `rewritten to ${JSON.stringify(taken.value)}`, rule: ref });
    call.input = taken.value;
    takePlan(call);
  }
  const message = `Routes rewrote the input ${maxRewrites} times and still want to change it.`;
  return new Stop("rewrite_loop", "route", message);
}

function blocked(call: ResolvedCall, { by, undecided, message }: RouteFinding & { kind: "block" }): Stop {
  const { ref, route: rule } = by;
  const told = undecided
    ? `Route "${rule.name}" could not be decided in time or cannot be applied, so the call is refused. ${rule.message ?? ""}`
    : (message ?? `Route "${rule.name}" blocks this call.`);
  const code = undecided ? "route_undecided" : "route_blocked";
  return stopTraced(call, new Stop(code, "route", told.trim(), { rule: ref }), `blocked: ${told.trim()}`);
}
