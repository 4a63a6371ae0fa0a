/** Loads a set of rules: patterns screened, everything compiled, every problem told at once. */
import { type Categories, categoriesNamed } from "./core/categories.ts";
import { ToolgateError } from "./core/errors.ts";
import { describeProblem } from "./rules/rule-problem.ts";
import { compileRules, patternsIn, type RuleSet, type Rules } from "./rules/rule-set.ts";
import { screenPatterns } from "./safe/regex-screen.ts";
import { compilePattern } from "./safe/safe-regex.ts";

/** Patterns that may be slow to compile are tried in a child process; all of them together get this long. */
const screenTimeoutMs = 5_000;

export async function loadRules(rules: Rules, version: number, categories: Categories): Promise<RuleSet> {
  const patterns = patternsIn(rules);
  const refused = await screenPatterns(patterns, { timeoutMs: screenTimeoutMs });
  if (refused.size > 0) {
    const lines = [...refused].map(
      ([index, why]) => `${patterns[index]?.rule}: its pattern is refused: ${why}`,
    );
    throw new ToolgateError(`The rules cannot be used:\n${lines.join("\n")}`);
  }
  const compiled = compileRules(rules, version, compilePattern);
  if (!compiled.ok)
    throw new ToolgateError(
      `The rules cannot be used:\n${compiled.problems.map(describeProblem).join("\n")}`,
    );
  for (const { limit } of compiled.rules.limits) {
    const unknown =
      limit.category && categoriesNamed(limit.category).find((id) => categories.get(id) === undefined);
    if (unknown)
      throw new ToolgateError(
        `The rules cannot be used:\nlimit "${limit.name}": there is no category "${unknown}".`,
      );
  }
  return compiled.rules;
}
