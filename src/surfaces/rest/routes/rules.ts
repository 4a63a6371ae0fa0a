/** The rules in force, each with the file and line where it is written. */
import { defined } from "../../../core/input/defined.ts";
import { patternNames, type ToolPattern } from "../../../core/tool/tool-pattern.ts";
import { json } from "../../http/answer.ts";
import type { HookList, LimitList, PolicyList, RouteList } from "../contract.ts";
import { defineGateRoute } from "../rest-route.ts";
import { hookList, limitList, policyList, routeList } from "../schemas/rules.ts";

const listRoutes = defineGateRoute({
  method: "GET",
  path: "/api/routes",
  right: "read",
  summary: "Routes, in the order in which they are tried",
  answers: { 200: routeList },
  handle: (_request, { gate, config }) =>
    json<RouteList>({
      version: gate.rulesVersion,
      routes: gate.rules.routes.map(({ tool, action = "block", tests = [], tier = "user", ...rest }) => ({
        ...rest,
        tools: patternNames(tool),
        action,
        tests: tests.length,
        tier,
      })),
      steppedAside: config.current.steppedAside,
    }),
});

const listPolicies = defineGateRoute({
  method: "GET",
  path: "/api/policies",
  right: "read",
  summary: "Policies, highest priority first",
  answers: { 200: policyList },
  handle: (_request, { gate }) =>
    json<PolicyList>({
      version: gate.rulesVersion,
      policies: gate.rules.policies.map(({ tools, conditions = [], priority = 0, tests = [], ...rest }) => ({
        tier: "user",
        ...rest,
        tools: patternNames(tools),
        conditions,
        priority,
        tests: tests.length,
      })),
    }),
});

const listLimits = defineGateRoute({
  method: "GET",
  path: "/api/limits",
  right: "read",
  summary: "Limits on calls",
  answers: { 200: limitList },
  handle: (_request, { gate }) =>
    json<LimitList>({
      version: gate.rulesVersion,
      limits: gate.rules.limits.map(({ tools, per = "tool", ...rest }) => ({
        ...rest,
        ...defined({ tools: tools === undefined ? undefined : patternNames(tools), per }),
      })),
    }),
});

const listHooks = defineGateRoute({
  method: "GET",
  path: "/api/hooks",
  right: "read",
  summary: "Hooks that look at calls",
  answers: { 200: hookList },
  handle(_request, { gate }) {
    const body: HookList = {
      version: gate.rulesVersion,
      hooks: gate.rules.hooks.map((hook) => {
        const { name, type, timeoutMs, source, failMode = "closed", isCancellable = true } = hook;
        const tools = patternNames(hook.toolPatterns ?? everyTool);
        return defined({ name, type, tools, timeoutMs, failMode, isCancellable, source });
      }),
    };
    return json(body);
  },
});

const everyTool: ToolPattern = "*";

export const ruleRoutes = [listRoutes, listPolicies, listLimits, listHooks];
