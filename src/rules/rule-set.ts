/** All rules of a gate, compiled and replaced together: no call meets half of an old set. */
import type { RuleSource } from "../core/call/errors.ts";
import type { CommandHook, Hook } from "../core/call/hook.ts";
import type { CompilePattern } from "../core/ports/pattern.ts";
import type { RuleProblem } from "./check/rule-problem.ts";
import { wellFormed } from "./check/rule-shape.ts";
import type { Condition } from "./conditions/condition.ts";
import { compileHooks } from "./hook-rules.ts";
import { type CompiledLimit, compileLimits, type Limit } from "./limits.ts";
import { type CompiledPolicy, compilePolicies, type Policy } from "./policies.ts";
import { type CompiledRoute, compileRoutes, type Route } from "./routes.ts";
import type { RouteTier } from "./tiers.ts";

export interface Rules {
  readonly routes?: readonly Route[];
  readonly policies?: readonly Policy[];
  readonly limits?: readonly Limit[];
  readonly hooks?: readonly (Hook | CommandHook)[];
}

/** With hooks that can be run: programs are bound to whoever starts them. */
export interface BoundRules extends Rules {
  readonly hooks?: readonly Hook[];
}

export interface RuleSet {
  readonly version: number;
  readonly routes: readonly CompiledRoute[];
  readonly policies: readonly CompiledPolicy[];
  readonly limits: readonly CompiledLimit[];
  readonly hooks: readonly Hook[];
}

export type CompiledRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] };

export function compileRules(
  rules: BoundRules,
  version: number,
  compilePattern: CompilePattern,
): CompiledRules {
  const problems: RuleProblem[] = [];
  const compiled: RuleSet = {
    version,
    routes: compileRoutes(wellFormed("route", rules.routes ?? [], problems), compilePattern, problems),
    policies: compilePolicies(wellFormed("policy", rules.policies ?? [], problems), compilePattern, problems),
    limits: compileLimits(wellFormed("limit", rules.limits ?? [], problems), problems),
    hooks: compileHooks(wellFormed("hook", rules.hooks ?? [], problems), problems),
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules: compiled };
}

export interface ScreenedPattern {
  readonly source: string;
  readonly flags: string;
  readonly rule: string;
  readonly place: RuleSource | undefined;
  readonly tier: RouteTier | undefined;
}

/** Every pattern the rules hold, to be screened before any of them is compiled. */
export function patternsIn(rules: Rules): ScreenedPattern[] {
  const found: ScreenedPattern[] = [];
  for (const route of rules.routes ?? []) {
    if (typeof route?.pattern !== "string") continue;
    const { pattern: source, flags = "", name, source: place, tier } = route;
    found.push({ source, flags, rule: `route "${name}"`, place, tier });
  }
  for (const policy of rules.policies ?? []) {
    const { name, source: place, tier } = policy ?? {};
    for (const source of patternsOf(policy))
      found.push({ source, flags: "", rule: `policy "${name}"`, place, tier });
  }
  return found;
}

/** Those of its conditions. Rules that somebody made in code may be of any form. */
export function patternsOf(policy: Pick<Policy, "conditions"> | undefined): string[] {
  const conditions: readonly (Condition | undefined)[] = [policy?.conditions ?? []].flat();
  return conditions.flatMap((condition) => {
    const values: readonly unknown[] = condition?.operator === "matches" ? [condition.value].flat() : [];
    return values.filter((one): one is string => typeof one === "string");
  });
}
