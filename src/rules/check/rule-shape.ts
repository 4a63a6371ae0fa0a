/** Checks the form of a rule before its meaning: a misspelt key would be a rule that does not hold. */
import type { RuleSource } from "../../core/call/errors.ts";
import { hookShape } from "../../core/call/hook-shape.ts";
import { explainMisshapen, explainUnknownKeys, type ObjectShape } from "../../core/input/explain-shape.ts";
import { explainBadCaller } from "../caller-test.ts";
import { limitShape } from "../shapes/limit-shape.ts";
import { conditionShape, policyShape } from "../shapes/policy-shape.ts";
import { routeShape } from "../shapes/route-shape.ts";
import type { RuleProblem } from "./rule-problem.ts";

const { type, toolPatterns, timeoutMs, failMode, isCancellable } = hookShape.properties;

const forms = {
  route: { ...routeShape, others: ["tier", "source"], unchecked: ["pattern"] },
  policy: { ...policyShape, others: ["tier", "source"] },
  limit: { ...limitShape, others: ["source"] },
  hook: {
    properties: { type, toolPatterns, timeoutMs, failMode, isCancellable },
    required: ["type"],
    others: ["run", "source"],
    unchecked: ["timeoutMs"],
  },
} satisfies Record<string, ObjectShape>;

/** Keeps the rules of the right form; the others become problems. A name may be used once per kind. */
export function wellFormed<Rule extends { readonly name: string; readonly source?: RuleSource }>(
  kind: keyof typeof forms,
  rules: readonly Rule[],
  problems: RuleProblem[],
): Rule[] {
  return rules.filter((rule, index) => {
    const before = problems.length;
    if (typeof rule !== "object" || rule === null || Array.isArray(rule)) {
      problems.push({ rule: `${kind} number ${index + 1}`, message: "is not an object." });
      return false;
    }
    const named = typeof rule.name === "string" && rule.name !== "";
    const what = named ? `${kind} "${rule.name}"` : `${kind} number ${index + 1}`;
    const problem = (message: string) =>
      problems.push({ rule: what, message, ...(rule.source && { source: rule.source }) });
    if (!named) problem("needs a name.");
    for (const message of explainMisshapen(rule, forms[kind])) problem(message);
    const { tool, tools, toolPatterns, conditions } = rule as Readonly<Record<string, unknown>>;
    for (const [field, pattern] of Object.entries({ tool, tools, toolPatterns })) {
      const required = (kind === "route" && field === "tool") || (kind === "policy" && field === "tools");
      const message = explainBadPattern(pattern, required);
      if (message !== undefined) problem(`${field} ${message}`);
    }
    const badCaller = explainBadCaller((rule as { readonly caller?: unknown }).caller);
    if (badCaller !== undefined) problem(badCaller);
    for (const condition of kind === "policy" && Array.isArray(conditions) ? conditions : [])
      for (const message of explainUnknownKeys(condition ?? {}, Object.keys(conditionShape.properties)))
        problem(`a condition ${message}`);
    return problems.length === before;
  });
}

function explainBadPattern(pattern: unknown, required: boolean): string | undefined {
  if (pattern === undefined) return required ? 'is missing: name the tools it is for, or "*".' : undefined;
  const names = Array.isArray(pattern) ? pattern : [pattern];
  if (names.length === 0) return "is an empty list, so the rule could never hold.";
  return names.every((name) => typeof name === "string" && name !== "")
    ? undefined
    : "must be a tool name, a pattern with *, or a list of them.";
}
