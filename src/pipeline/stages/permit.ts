/** permit: may this caller use this tool in this mode, and what do the policies say about this input. */
import type { Caller } from "../../core/call/call.ts";
import { Stop } from "../../core/call/errors.ts";
import { isFileUri } from "../../core/input/file-uri.ts";
import type { RoleValues } from "../../core/input/input-roles.ts";
import type { Categories } from "../../core/tool/categories.ts";
import { holdsCapability, isWithin } from "../../core/tool/permission.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import { explainBlindApprovals } from "../../rules/check/blind-approvals.ts";
import { planFor, type ToolPlan } from "../../rules/compile-plan.ts";
import { decide } from "../../rules/decide.ts";
import { type Decision, defaultDecision, stricter } from "../../rules/decision.ts";
import { deniesAlways } from "../../rules/policies.ts";
import type { Subject } from "../../rules/subject.ts";
import type { Call, HookedCall, PermittedCall } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { stopTraced, type Trace } from "../trace.ts";
import { addContext } from "./before-hooks.ts";
import { View } from "./call-view.ts";
import { valuesOf } from "./derived-values.ts";
import { openedPaths, placesOf } from "./opened-paths.ts";
import { isLeft, tighten, withoutDoubt, withoutSilence } from "./settle.ts";
import { watchShadows } from "./watch-shadows.ts";

export function permit(call: HookedCall, parts: DecidingParts): PermittedCall | Stop {
  const barred = explainBarred(call, parts);
  if (barred !== undefined) return barred;
  const roles = valuesOf(call);
  // A default of the tool's own may have made a command of nothing.
  const plan = planFor(call.plan, roles);
  call.plan = plan;
  call.subjects = undefined;
  call.bound = undefined;
  call.meaning = undefined;
  // Nothing in the input can change the decision: it is made once per plan, mode and kind of call.
  const isFixed = plan.unconditional && roles === undefined && !call.isPlanning;
  const fixed = isFixed ? fixedIndex(call) : undefined;
  let decision = fixed === undefined ? undefined : plan.decisions[fixed];
  if (decision === undefined) {
    const made = decideNow(call, roles, parts);
    if (made instanceof Stop) return stopTraced(call, made);
    decision = made;
    if (fixed !== undefined) plan.decisions[fixed] = made;
  }
  if (isLeft(call, decision, parts)) decision = leaveDoubt(call, decision, parts);
  const { askedBy } = call;
  if (askedBy !== undefined) decision = stricter(decision, askedBy);
  call.decision = decision;
  if (plan.shadows.length > 0) watchShadows(call, roles, parts);
  if (decision.verdict === "deny") return denied(call, decision);
  if (call.trace !== undefined) traceDecision(call, call.trace);
  return call as PermittedCall;
}

/** Whoever looks at the call next should know what made us doubt. */
function leaveDoubt(call: HookedCall, doubt: Decision, parts: DecidingParts): Decision {
  const left = withoutDoubt(call, doubt, parts);
  if (left.verdict === "abstain") addContext(call, `toolgate: ${doubt.message}`, "toolgate");
  return left;
}

function denied(call: Call, { message, rule }: Decision): Stop {
  return stopTraced(call, new Stop("policy_denied", "permit", message, { rule }), `deny: ${message}`);
}

function traceDecision(call: Call, trace: Trace): void {
  const { verdict, message, rule } = call.decision;
  trace.push({ stage: "permit", finding: `${verdict}: ${message}`, ...(rule && { rule }) });
  const { registered, planned: tool, args, plan } = call;
  if (verdict !== "ask" || registered === undefined) return;
  const source = registered.source.kind;
  const blind = explainBlindApprovals(plan.policies, { tool, args, source });
  if (blind !== undefined) trace.push({ stage: "permit", finding: blind });
}

/** Why the call ends here whatever its input. */
function explainBarred(call: HookedCall, parts: DecidingParts): Stop | undefined {
  if (call.signal?.aborted === true)
    return new Stop("cancelled", "permit", "The call was cancelled before it was decided.");
  const { plan, caller, through } = call;
  if (call.kind === "call" && !knownCallable(plan, caller, parts)) {
    const refusal = learnCallable(call, parts);
    if (refusal !== undefined) return stopTraced(call, refusal);
  }
  const barred = through === undefined ? undefined : explainBarredPassage(call, through, parts);
  return barred === undefined ? undefined : stopTraced(call, barred);
}

/** Only for the default caller, which is frozen: others may gain or lose capabilities between two calls. */
function knownCallable({ callable }: ToolPlan, caller: Caller, parts: DecidingParts): boolean {
  return caller === parts.defaultCaller && callable.version === parts.categories.version;
}

function learnCallable({ registered, plan, caller }: Call, parts: DecidingParts): Stop | undefined {
  if (registered === undefined) return undefined;
  const refusal = explainNotCallable(registered, caller, parts.categories);
  if (refusal === undefined && caller === parts.defaultCaller)
    plan.callable.version = parts.categories.version;
  return refusal;
}

/** Why a tool cannot be called at all, whatever the input. Also what the caller's view of the tools says. */
export function explainNotCallable(
  registered: RegisteredTool,
  caller: Pick<Caller, "capabilities" | "categories">,
  categories: Pick<Categories, "get">,
): Stop | undefined {
  const { id, tool } = registered;
  if (caller.categories?.includes(registered.category) === false) {
    const message = `${id} is in the category "${registered.category}", which this session does not have.`;
    return new Stop("category_disabled", "permit", message);
  }
  const category = categories.get(registered.category);
  if (category === undefined || !category.enabled) {
    const message = `${id} is in the category "${registered.category}", which is switched off.`;
    return new Stop("category_disabled", "permit", message, { hint: howToEnable(registered.category) });
  }
  if (!isWithin(tool.permission, category.ceiling)) {
    const most = `its category "${category.id}" allows at most "${category.ceiling}"`;
    return new Stop("above_ceiling", "permit", `${id} needs permission "${tool.permission}", but ${most}.`);
  }
  for (const needed of registered.capabilities) {
    if (holdsCapability(caller.capabilities, needed)) continue;
    const message = `${id} needs the capability "${needed}", which the caller does not have.`;
    return new Stop("missing_capability", "permit", message);
  }
  return undefined;
}

/** Who reads it may have started a command, written a configuration or used the library. */
function howToEnable(category: string): string {
  return `Enable it with --enable-tool-categories ${category}, or tools: { enabled_categories: [${category}] } in the configuration (enabledCategories in the library).`;
}

/** A tool that only passes calls on can itself be switched off or denied. */
function explainBarredPassage(call: Call, through: RegisteredTool, parts: DecidingParts): Stop | undefined {
  // A check is about the agent's own tool of that name: what is switched on here does not matter.
  const refusal =
    call.kind === "call" ? explainNotCallable(through, call.caller, parts.categories) : undefined;
  if (refusal !== undefined || !deniesAlways(parts.plans.of(through).plan.policies, call.mode, call.caller))
    return refusal;
  return new Stop("policy_denied", "permit", `A policy denies every call of ${through.id}.`);
}

function decideNow(call: HookedCall, roles: RoleValues | undefined, parts: DecidingParts): Decision | Stop {
  const { planned, plan, mode, otherwise } = call;
  // Where no policy speaks, a check stays silent: splitting a command line would be for nothing.
  const isSilent =
    otherwise === "abstain" && mode === "act" && plan.policies.length === 0 && !mayAsk(call, parts);
  if (isSilent && !mayTouchOwn(call, roles, parts))
    return tighten(
      defaultDecision({ risk: planned.permission, network: false, label: "" }, "abstain"),
      parts,
    );
  const { subjects, bound } = placesOf(call, roles, parts);
  if (mode === "plan" && !call.isPlanning) {
    const more = subjects.find(({ risk }) => risk !== "read");
    if (more !== undefined) return planModeStop(planned.id, more);
  }
  const decision = decide(subjects, {
    policies: plan.policies,
    view: new View(call, roles, parts),
    mode,
    otherwise,
  });
  if (roles !== undefined) {
    call.subjects = subjects;
    call.bound = bound;
    if (call.kind === "call") call.opened = openedPaths(subjects);
  }
  return withoutSilence(decision, parts);
}

/** A person's yes is bound to where the paths lead, so somebody has to look. */
function mayAsk({ askedBy }: Call, { checkDefault }: DecidingParts): boolean {
  return askedBy !== undefined || checkDefault === "ask";
}

function mayTouchOwn({ cwd }: Call, roles: RoleValues | undefined, { nearOwn }: DecidingParts): boolean {
  if (roles === undefined) return false;
  return (
    roles.fixed !== undefined ||
    roles.command.some((line) => nearOwn.command(line, cwd)) ||
    roles.path.some((path) => nearOwn.path(path, cwd)) ||
    // The folder that a shell runs in is one of the call's paths.
    (roles.command.length > 0 && roles.path.length > 0) ||
    roles.url.some((url) => isFileUri(url))
  );
}

function planModeStop(toolId: string, { risk, label }: Subject): Stop {
  const what = label === "" ? "" : `: ${label.slice(0, 200)}`;
  const message = `${toolId} would do more than read (${risk})${what}. Plan mode allows reading only.`;
  return new Stop("plan_mode", "permit", message);
}

function fixedIndex({ mode, otherwise }: Call): number {
  return (mode === "plan" ? 2 : 0) + (otherwise === "abstain" ? 1 : 0);
}
