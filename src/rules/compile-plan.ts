/** A tool's plan: only the rules that can concern it. A call that no rule concerns pays for none. */

import { holdsCommand, type RoleValues } from "../core/input/input-roles.ts";
import { categoriesNamed } from "../core/tool/categories.ts";
import { findKnownTool } from "../core/tool/known-tools.ts";
import { matchesTool, type NamedTool, type SameTool, type ToolPattern } from "../core/tool/tool-pattern.ts";
import type { Decision } from "./decision.ts";
import type { RouteList } from "./find-route.ts";
import { type CompiledHooks, hooksByType } from "./hook-rules.ts";
import type { CompiledLimit } from "./limits.ts";
import type { CompiledPolicy } from "./policies.ts";
import type { RuleSet } from "./rule-set.ts";
import type { JudgedTool, Subject } from "./subject.ts";
import { wholeCall } from "./subjects.ts";

export interface PlannedTool extends NamedTool, JudgedTool {
  readonly category: string;
}

export interface ToolPlan extends CompiledHooks {
  readonly version: number;
  readonly routes: RouteList;
  readonly policies: readonly CompiledPolicy[];
  /** Those in shadow mode, each with the list that would decide if it were in force. */
  readonly shadows: readonly PlannedShadow[];
  readonly limits: readonly CompiledLimit[];
  /** No route, no limit and no hook before the call concerns the tool: those stages have nothing to do. */
  readonly onlyPolicies: boolean;
  /** What policies judge when the input holds no command, path or URL. */
  readonly whole: readonly Subject[];
  /** No policy looks at the input: without paths, commands and URLs the decision is always the same. */
  readonly unconditional: boolean;
  /** Those decisions, once made, by mode and kind of call. They end with the plan. */
  readonly decisions: (Decision | undefined)[];
  /** In which state of the categories the default caller was last found able to call the tool at all. */
  readonly callable: { version: number };
  /** For calls that hold a command, where the tool is no shell by its name. Undefined: nothing changes. */
  readonly withCommand: (() => ToolPlan) | undefined;
}

export interface PlannedShadow {
  readonly policy: CompiledPolicy;
  /** With all that are in force, the highest priority first. */
  readonly among: readonly CompiledPolicy[];
}

/** Whether a rule for these tools concerns the planned one. A rule that narrows concerns more tools. */
export type Concerns = (tools: ToolPattern, narrows: boolean) => boolean;

/** Rules that are kept by the tools they are for: nothing is read of those that concern other tools. */
export interface RuleIndex extends Pick<RuleSet, "version" | "limits" | "hooks"> {
  /** In the order in which they are tried. */
  routesFor(concerns: Concerns): RouteList;
  /** The highest priority first. */
  policiesFor(concerns: Concerns): readonly CompiledPolicy[];
}

export type PlannedRules = RuleSet | RuleIndex;

export function compilePlan(rules: PlannedRules, tool: PlannedTool, sameTool: SameTool): ToolPlan {
  // Text for a running shell runs: what stops `shell.exec` stops it here. What allows that does not.
  const feedsPrograms = tool.roles.possible.has("stdin");
  const mayHoldCommand = tool.roles.possible.has("command") && !matchesTool("shell.exec", tool, sameTool);
  let whole: ToolPlan | undefined;
  const withCommand = () => {
    whole ??= compile(rules, tool, { sameTool, narrowsAsShell: true, isShellCall: true });
    return whole;
  };
  const plan = compile(rules, tool, { sameTool, narrowsAsShell: feedsPrograms, isShellCall: false });
  return mayHoldCommand ? { ...plan, withCommand } : plan;
}

/** A tool that is given a command line runs it: what narrows a shell narrows the call. Nothing widens it. */
export function planFor(plan: ToolPlan, values: RoleValues | undefined): ToolPlan {
  return plan.withCommand !== undefined && holdsCommand(values) ? plan.withCommand() : plan;
}

interface Scope {
  readonly sameTool: SameTool;
  /** Rules for a shell that block, ask or deny concern the tool as well. */
  readonly narrowsAsShell: boolean;
  /** So do a shell's limits and hooks. */
  readonly isShellCall: boolean;
}

function compile(rules: PlannedRules, tool: PlannedTool, scope: Scope): ToolPlan {
  const { sameTool, narrowsAsShell, isShellCall } = scope;
  const concerns: Concerns = (tools, narrows) =>
    matchesTool(tools, tool, sameTool) ||
    (narrows && narrowsAsShell && matchesTool(tools, shellTool, sameTool));
  const isIndex = "routesFor" in rules;
  const routes = isIndex
    ? rules.routesFor(concerns)
    : rules.routes
        .filter(({ route, action }) => concerns(route.tool, action !== "allow"))
        // A copy knows what its pattern needs; the route itself finds it out when it is asked.
        .map((route) => ({ ...route }));
  const { policies, shadows } = splitShadows(
    isIndex
      ? rules.policiesFor(concerns)
      : rules.policies.filter(({ policy, action }) => concerns(policy.tools, action !== "approve")),
  );
  const limits = rules.limits.filter(
    ({ limit }) =>
      (limit.tools === undefined || concerns(limit.tools, isShellCall)) &&
      (limit.category === undefined || categoriesNamed(limit.category).includes(tool.category)),
  );
  const hooks = hooksByType(rules.hooks.filter((hook) => concerns(hook.toolPatterns ?? "*", isShellCall)));
  return {
    version: rules.version,
    routes,
    policies,
    shadows,
    limits,
    ...hooks,
    onlyPolicies: routes.length === 0 && hooks.before.length === 0 && limits.length === 0,
    whole: [wholeCall(tool)],
    unconditional:
      shadows.length === 0 &&
      policies.every(
        ({ conditions, caller, until }) =>
          conditions.length === 0 && caller === undefined && until === undefined,
      ),
    decisions: [],
    callable: { version: -1 },
    withCommand: undefined,
  };
}

/** The one place where policies that decide and those that only watch part. */
function splitShadows(all: readonly CompiledPolicy[]): Pick<ToolPlan, "policies" | "shadows"> {
  if (all.every(({ shadow }) => shadow === undefined)) return { policies: all, shadows: noShadows };
  return {
    policies: all.filter(({ shadow }) => shadow === undefined),
    shadows: all
      .filter(({ shadow }) => shadow !== undefined)
      .map((policy) => ({
        policy,
        among: all.filter((other) => other === policy || other.shadow === undefined),
      })),
  };
}

const noShadows: readonly PlannedShadow[] = Object.freeze([]);

const shellTool: NamedTool = {
  id: "shell.exec",
  names: ["shell.exec", "shell_exec", ...(findKnownTool("shell.exec")?.aliases ?? [])],
};
