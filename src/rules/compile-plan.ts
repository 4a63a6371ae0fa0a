/** A tool's plan: only the rules that can concern it. A call that no rule concerns pays for none. */
import { categoriesNamed } from "../core/categories.ts";
import type { NamedTool, SameTool } from "../core/tool-pattern.ts";
import { matchesTool } from "../core/tool-pattern.ts";
import type { Decision } from "./decision.ts";
import { type CompiledHooks, hooksByType } from "./hook-rules.ts";
import type { CompiledLimit } from "./limits.ts";
import type { CompiledPolicy } from "./policies.ts";
import type { CompiledRoute } from "./routes.ts";
import type { RuleSet } from "./rule-set.ts";
import { type JudgedTool, type Subject, wholeCall } from "./subjects.ts";

export interface PlannedTool extends NamedTool, JudgedTool {
  readonly category: string;
}

export interface ToolPlan extends CompiledHooks {
  readonly version: number;
  readonly routes: readonly CompiledRoute[];
  readonly policies: readonly CompiledPolicy[];
  readonly limits: readonly CompiledLimit[];
  /** No route, no limit and no hook before the call concerns the tool: those stages have nothing to do. */
  readonly onlyPolicies: boolean;
  /** What policies judge when the input holds no command, path or URL. */
  readonly whole: readonly Subject[];
  /** No policy looks at the input: without paths, commands and URLs the decision is always the same. */
  readonly unconditional: boolean;
  /** Those decisions, once made, by mode and kind of call. A plan lives no longer than the rules it was made from. */
  readonly decisions: (Decision | undefined)[];
  /** In which state of the categories the default caller was last found able to call the tool at all. */
  readonly callable: { version: number };
}

export function compilePlan(rules: RuleSet, tool: PlannedTool, sameTool: SameTool): ToolPlan {
  const routes = rules.routes.filter(({ route }) => matchesTool(route.tool, tool, sameTool));
  const policies = rules.policies.filter(({ policy }) => matchesTool(policy.tools, tool, sameTool));
  const limits = rules.limits.filter(
    ({ limit }) =>
      (limit.tools === undefined || matchesTool(limit.tools, tool, sameTool)) &&
      (limit.category === undefined || categoriesNamed(limit.category).includes(tool.category)),
  );
  const hooks = hooksByType(
    rules.hooks.filter((hook) => matchesTool(hook.toolPatterns ?? "*", tool, sameTool)),
  );
  return {
    version: rules.version,
    routes,
    policies,
    limits,
    ...hooks,
    onlyPolicies: routes.length === 0 && hooks.before.length === 0 && limits.length === 0,
    whole: [wholeCall(tool)],
    unconditional: policies.every(({ conditions }) => conditions.length === 0),
    decisions: [],
    callable: { version: -1 },
  };
}
