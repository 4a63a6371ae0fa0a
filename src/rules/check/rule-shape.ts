/** The form of a rule, checked before its meaning: a misspelt key would be a rule that silently does not hold. */
import type { RuleSource } from "../../core/call/errors.ts";
import { unknownKeys } from "../../core/input/unknown-keys.ts";
import type { RuleProblem } from "./rule-problem.ts";

const keys = {
  route: [
    "name",
    "tool",
    "pattern",
    "flags",
    "message",
    "field",
    "action",
    "rewrite",
    "tests",
    "tier",
    "source",
  ],
  policy: ["name", "tools", "action", "conditions", "priority", "reason", "modes", "tests", "tier", "source"],
  limit: ["name", "tools", "category", "per", "max", "windowMs", "concurrent", "source"],
  hook: ["name", "type", "toolPatterns", "run", "timeoutMs", "failMode", "isCancellable", "source"],
  condition: ["type", "operator", "value", "field"],
} as const;

export type RuleKind = keyof typeof keys;

/** Keeps the rules of the right form; the others become problems. A name may be used once per kind. */
export function wellFormed<Rule extends { readonly name: string; readonly source?: RuleSource }>(
  kind: RuleKind,
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
    for (const message of explainUnknownKeys(kind, rule)) problem(message);
    for (const field of ["tool", "tools", "toolPatterns"] as const) {
      const required = (kind === "route" && field === "tool") || (kind === "policy" && field === "tools");
      const message = explainBadPattern((rule as Record<string, unknown>)[field], required);
      if (message !== undefined) problem(`${field} ${message}`);
    }
    return problems.length === before;
  });
}

export function explainUnknownKeys(kind: RuleKind, rule: object): string[] {
  return unknownKeys(rule, keys[kind]).map(({ key, instead }) => `has an unknown key "${key}"; ${instead}`);
}

function explainBadPattern(pattern: unknown, required: boolean): string | undefined {
  if (pattern === undefined) return required ? 'is missing: name the tools it is for, or "*".' : undefined;
  const names = Array.isArray(pattern) ? pattern : [pattern];
  if (names.length === 0) return "is an empty list, so the rule could never hold.";
  return names.every((name) => typeof name === "string" && name !== "")
    ? undefined
    : "must be a tool name, a pattern with *, or a list of them.";
}
