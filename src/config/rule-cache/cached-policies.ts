/** Policies as the cache keeps them: as they were written, compiled again for the calls they concern. */
import type { CompilePattern } from "../../core/ports/pattern.ts";
import type { RuleProblem } from "../../rules/check/rule-problem.ts";
import { type CompiledPolicy, compilePolicies, type Policy } from "../../rules/policies.ts";
import { KnownPattern, type KnownSource, type QuickTries } from "./known-pattern.ts";

export interface PoliciesRegion {
  /** With its place in the order of all policies. */
  readonly policies: readonly (readonly [order: number, policy: Policy])[];
  readonly patterns: readonly KnownSource[];
}

/** Throws when something does not compile that did before: then the cache is not what it says. */
export function readPolicies(regions: readonly PoliciesRegion[], tries: QuickTries): CompiledPolicy[] {
  if (regions.length === 0) return [];
  const known = new Map<string, KnownSource>();
  for (const { patterns } of regions) for (const one of patterns) known.set(one.written.source, one);
  const compilePattern: CompilePattern = (source) => {
    const pattern = known.get(source);
    if (pattern === undefined) return { ok: false, message: `/${source}/ is not in the cache.` };
    return { ok: true, pattern: new KnownPattern(pattern, tries) };
  };
  const inOrder = regions
    .flatMap(({ policies }) => policies)
    .sort(([one], [other]) => one - other)
    .map(([, policy]) => policy);
  const problems: RuleProblem[] = [];
  const compiled = compilePolicies(inOrder, compilePattern, problems);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`A policy of the rule cache cannot be used: ${problem.message}`);
  return compiled;
}
