/** Policies approve, ask or deny. Priority decides, then the stricter. A less trusted tier only narrows. */
import { type Caller, isMode, type Mode } from "../core/call/call.ts";
import type { RuleRef, RuleSource } from "../core/call/errors.ts";
import type { Shaped } from "../core/input/shape.ts";
import type { CompilePattern } from "../core/ports/pattern.ts";
import { shortHash } from "../core/text/short-hash.ts";
import { type CallerTest, compileCaller } from "./caller-test.ts";
import { problemsOf, type RuleProblem, refOf } from "./check/rule-problem.ts";
import type { CompiledCondition } from "./conditions/condition.ts";
import { compileCondition } from "./conditions/conditions.ts";
import type { policyShape } from "./shapes/policy-shape.ts";
import { type Tier, tiers, trustOf } from "./tiers.ts";

export interface Policy extends Shaped<typeof policyShape> {
  readonly name: string;
  readonly tier?: Tier;
  readonly source?: RuleSource;
}

export interface CompiledPolicy {
  readonly policy: Policy;
  readonly ref: RuleRef;
  readonly action: Policy["action"];
  readonly priority: number;
  readonly trust: number;
  /** From then on it approves nothing, in milliseconds since the epoch. */
  readonly until: number | undefined;
  /** Undefined: for everybody. */
  readonly caller: CallerTest | undefined;
  readonly conditions: readonly CompiledCondition[];
  readonly namesPath: boolean;
  readonly namesRisk: boolean;
  /** It speaks of risk, and would hold for a command that is not understood at all. */
  readonly coversOpaque: boolean;
  /** Of a policy that changes nothing: tells its wording from an earlier one of the same name. */
  readonly shadow: string | undefined;
}

export function compilePolicies(
  policies: readonly Policy[],
  compilePattern: CompilePattern,
  problems: RuleProblem[],
): CompiledPolicy[] {
  const compiled: CompiledPolicy[] = [];
  const names = new Map<string, Policy>();
  for (const policy of policies) {
    const before = problems.length;
    const problem = problemsOf("policy", policy, problems);
    const same = names.get(policy.name);
    if (same !== undefined) {
      const place = same.source === undefined ? "" : ` in ${same.source.file}:${same.source.line ?? 1}`;
      problem(`the name is also used${place}; rename one of them.`);
    }
    names.set(policy.name, policy);
    if (policy.modes !== undefined && !Array.isArray(policy.modes)) {
      problem("modes must be a list: [act], [plan] or both.");
      continue;
    }
    const badMode = policy.modes?.find((mode) => !isMode(mode));
    if (badMode !== undefined) problem(`modes are act and plan, not ${JSON.stringify(badMode)}.`);
    if (policy.priority !== undefined && !Number.isFinite(policy.priority))
      problem("priority must be a number.");
    const until = endOf(policy.until);
    if (until === null)
      problem(`until must be a day such as 2027-02-15, not ${JSON.stringify(policy.until)}.`);
    else if (until !== undefined && policy.action !== "approve")
      problem("until is for policies that approve; what asks or denies stays until somebody removes it.");
    const tier = policy.tier ?? "user";
    if (!tiers.includes(tier))
      problem(`tier must be one of ${tiers.join(", ")}, not ${JSON.stringify(tier)}.`);
    const conditions: CompiledCondition[] = [];
    if (policy.conditions !== undefined && !Array.isArray(policy.conditions)) {
      problem("conditions must be a list.");
      continue;
    }
    for (const condition of policy.conditions ?? []) {
      if (typeof condition !== "object" || condition === null) {
        problem("a condition must be an object with type, operator and value.");
        continue;
      }
      const one = compileCondition(condition, compilePattern, policy.conditions ?? []);
      if (typeof one === "string") problem(one);
      else conditions.push(one);
    }
    if (problems.length > before) continue;
    compiled.push({
      policy,
      ref: refOf("policy", policy, tier),
      action: policy.action,
      priority: policy.priority ?? 0,
      trust: trustOf(tier),
      until: until ?? undefined,
      caller: compileCaller(policy.caller),
      conditions,
      namesPath: conditions.some(({ type }) => type === "path"),
      namesRisk: conditions.some(({ type }) => type === "risk"),
      coversOpaque: conditions.some(({ holdsForOpaque }) => holdsForOpaque),
      shadow: policy.mode === "shadow" ? wordingOf(policy) : undefined,
    });
  }
  // Sorted once, so that deciding is one pass from the highest priority down.
  return compiled.sort((a, b) => b.priority - a.priority);
}

const dayMs = 86_400_000;

/** The end of that day. Null: it is none. */
function endOf(until: string | undefined): number | null | undefined {
  if (until === undefined) return undefined;
  const start = /^\d{4}-\d{2}-\d{2}$/.test(until) ? Date.parse(`${until}T00:00:00Z`) : Number.NaN;
  // `2027-02-30` would be a day of March.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(until);
  return isDay ? start + dayMs : null;
}

export function hasExpired({ until }: Pick<Policy, "until">, now: number): boolean {
  const end = endOf(until);
  return typeof end === "number" && now >= end;
}

/** What decides, without reason, tests and the place where it stands. */
function wordingOf(policy: Policy): string {
  const { tools, caller, action, conditions = [], priority = 0, modes, tier = "user" } = policy;
  return shortHash(JSON.stringify([tools, caller, action, conditions, priority, modes, tier]));
}

/** Denied whatever the input is: such a tool is not shown to a model. */
export function deniesAlways(policies: readonly CompiledPolicy[], mode: Mode, by: Caller): boolean {
  const inMode = policies.filter(({ policy, action, caller }) => {
    if (policy.modes !== undefined && !policy.modes.includes(mode)) return false;
    const concerns = caller === undefined || caller(by);
    return concerns === true || (concerns === undefined && action === "deny");
  });
  return inMode.some((deny) => {
    if (deny.action !== "deny" || deny.conditions.length > 0) return false;
    const higher = (other: CompiledPolicy) => other.priority > deny.priority && other.trust >= deny.trust;
    return !inMode.some((other) => other.action !== "deny" && higher(other));
  });
}
