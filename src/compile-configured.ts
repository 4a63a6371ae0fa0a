/** Compiles the rules of configuration files; what is wrong with them is said with file, line and column. */
import type { ConfigProblem } from "./config/config-problem.ts";
import { Categories } from "./core/categories.ts";
import { compileScreened } from "./load-rules.ts";
import type { RuleProblem } from "./rules/rule-problem.ts";
import type { RuleSet, Rules } from "./rules/rule-set.ts";

export type ConfiguredRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export async function compileConfigured(rules: Rules): Promise<ConfiguredRules> {
  const compiled = await compileScreened(rules, 1, new Categories(() => {}));
  return compiled.ok ? compiled : { ok: false, problems: compiled.problems.map(toConfigProblem) };
}

function toConfigProblem({ rule, message, source }: RuleProblem): ConfigProblem {
  const { file = "(no file)", line, column } = source ?? {};
  return {
    file,
    message: `${rule}: ${message}`,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
