/** How high a proposed approval has to stand, and whose rules it would lift from there without having met them. */
import { findKnownTool } from "../core/tool/known-tools.ts";
import { matchesWildcard, patternNames } from "../core/tool/tool-pattern.ts";
import { plainWrappers } from "../rules/conditions/command-condition.ts";
import { bareProgram } from "../rules/conditions/command-forms.ts";
import type { Condition } from "../rules/conditions/condition.ts";
import type { Policy } from "../rules/policies.ts";
import type { SameCalls } from "./read-calls.ts";

/** A policy that asks is set aside only by a higher priority; where a default asks, none is needed. */
export function priorityFor(
  covered: readonly SameCalls[],
  policies: readonly Policy[],
): { readonly priority?: number } {
  const names = askedBy(covered);
  const asking = policies.filter(
    ({ name, action, tier = "user" }) => names.has(name) && action === "ask" && tier !== "admin",
  );
  const highest = Math.max(-1, ...asking.map(({ priority = 0 }) => priority));
  return highest < 0 ? {} : { priority: highest + 1 };
}

/**
 * The past tells nothing of a rule that no call has met: `deny` in `src/payments` stands at the same priority as
 * the question about `src/a.ts`, and an approval of `src/PATH.ts` above that would lift both. Such a rule may be
 * there for values that nobody has seen, so then only what was seen can be proposed.
 */
export function liftsOthers(
  approval: Policy,
  covered: readonly SameCalls[],
  policies: readonly Policy[],
): boolean {
  const answered = askedBy(covered);
  return policies.some(({ name, action, tier, mode, priority = 0, tools, conditions = [] }) => {
    if (action === "approve" || tier === "admin" || mode === "shadow") return false;
    if (priority >= (approval.priority ?? 0) || !mayMeanTool(tools, approval.tools)) return false;
    // People have answered what it asks, or it asks about everything of a risk.
    if (action === "ask" && (answered.has(name) || conditions.every(({ type }) => type === "risk")))
      return false;
    return !conditions.some((one) => isOfOtherCommands(one, approval.conditions ?? []));
  });
}

function askedBy(covered: readonly SameCalls[]): ReadonlySet<string> {
  return new Set(
    covered.flatMap(({ calls }) => calls.flatMap(({ rule }) => (rule?.kind === "policy" ? rule.name : []))),
  );
}

/** An agent's name for the tool counts as well; a pattern counts unless it is about servers, and the tool is not. */
function mayMeanTool(pattern: Policy["tools"], approved: Policy["tools"]): boolean {
  const [tool = ""] = patternNames(approved);
  return patternNames(pattern).some((name) => {
    if (name.includes("*")) return matchesWildcard(name, tool) || !name.startsWith("mcp__");
    return name === tool || findKnownTool(name)?.id === tool;
  });
}

/** `git push` is stopped, and `git add` is approved: a word differs that is always there. */
function isOfOtherCommands({ type, operator, value }: Condition, approved: readonly Condition[]): boolean {
  if (type !== "command" || !["startsWith", "equals", "usage"].includes(operator)) return false;
  const usages = approved.flatMap((one) => (one.operator === "usage" ? [one.value].flat() : []));
  const differs = (stopped: unknown) => {
    const words = plainWords(stopped);
    return usages.every((usage) => {
      const others = plainWords(usage);
      return words.some((word, at) => at < others.length && word !== others[at]);
    });
  };
  const stopped = [value].flat();
  const isWrapper = (text: unknown) => plainWrappers.has(plainWords(text)[0] ?? "");
  return usages.length > 0 && stopped.every((text) => !isWrapper(text) && differs(text));
}

/** Those at its beginning that stand for themselves. */
function plainWords(text: unknown): readonly string[] {
  const words = bareProgram(String(text).trim().split(/\s+/));
  const end = words.findIndex((word) => !/^[a-z][a-z0-9:.-]*$/.test(word));
  return end < 0 ? words : words.slice(0, end);
}
