/** Loads a set of rules: patterns screened, everything compiled, every problem told at once. */
import { type Categories, categoriesNamed } from "./core/categories.ts";
import { ToolgateError } from "./core/errors.ts";
import { type CommandHook, type Hook, isCommandHook } from "./core/hook.ts";
import { describeProblem, type RuleProblem } from "./rules/rule-problem.ts";
import { compileRules, patternsIn, type RuleSet, type Rules } from "./rules/rule-set.ts";
import { explainCommandHook } from "./safe/command-hook/check-command-hook.ts";
import { type CommandHooks, createCommandHooks } from "./safe/command-hook/command-hooks.ts";
import { screenPatterns } from "./safe/regex-screen.ts";
import { compilePattern } from "./safe/safe-regex.ts";

/** Patterns that may be slow to compile are tried in a child process; all of them together get this long. */
const screenTimeoutMs = 5_000;

export type ScreenedRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly RuleProblem[] };

export async function loadRules(
  rules: Rules,
  version: number,
  categories: Categories,
  commands: CommandHooks,
): Promise<RuleSet> {
  const compiled = await compileScreened(rules, version, categories, commands);
  if (compiled.ok) return compiled.rules;
  throw new ToolgateError(`The rules cannot be used:\n${compiled.problems.map(describeProblem).join("\n")}`);
}

export async function compileScreened(
  rules: Rules,
  version: number,
  categories: Categories,
  /** Without it rules are only looked at, and none of their hooks ever runs. */
  commands: Pick<CommandHooks, "bind"> = createCommandHooks({ projectDir: "/" }),
): Promise<ScreenedRules> {
  const { hooks, problems: unfit } = bindHooks(rules.hooks ?? [], commands);
  if (unfit.length > 0) return { ok: false, problems: unfit };
  const patterns = patternsIn(rules);
  const refused = await screenPatterns(patterns, { timeoutMs: screenTimeoutMs });
  if (refused.size > 0) {
    const problems = [...refused].map(([index, why]): RuleProblem => {
      const { rule = "", place } = patterns[index] ?? {};
      return { rule, message: `its pattern is refused: ${why}`, ...(place && { source: place }) };
    });
    return { ok: false, problems };
  }
  const compiled = compileRules({ ...rules, hooks }, version, compilePattern);
  if (!compiled.ok) return compiled;
  const problems: RuleProblem[] = [];
  for (const { limit } of compiled.rules.limits) {
    const unknown =
      limit.category && categoriesNamed(limit.category).find((id) => categories.get(id) === undefined);
    if (!unknown) continue;
    const message = `there is no category "${unknown}".`;
    problems.push({ rule: `limit "${limit.name}"`, message, ...(limit.source && { source: limit.source }) });
  }
  return problems.length > 0 ? { ok: false, problems } : compiled;
}

/** Programs become hooks; nothing is started before a call meets them. */
function bindHooks(
  hooks: readonly (Hook | CommandHook)[],
  commands: Pick<CommandHooks, "bind">,
): { readonly hooks: readonly Hook[]; readonly problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const bound = hooks.flatMap((hook): readonly Hook[] => {
    if (!isCommandHook(hook)) return [hook];
    const { name, source } = hook;
    const found = explainCommandHook(hook);
    for (const message of found)
      problems.push({ rule: `hook "${name}"`, message, ...(source && { source }) });
    return found.length === 0 ? [commands.bind(hook)] : [];
  });
  return { hooks: bound, problems };
}
