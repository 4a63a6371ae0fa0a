/** Loads a set of rules: patterns screened, everything compiled, every problem told at once. */
import { setImmediate } from "node:timers/promises";
import { ToolgateError } from "../core/call/errors.ts";
import { type CommandHook, type Hook, isCommandHook } from "../core/call/hook.ts";
import type { CompiledPattern, CompilePattern } from "../core/ports/pattern.ts";
import { type Categories, categoriesNamed } from "../core/tool/categories.ts";
import { describeProblem, type RuleProblem } from "../rules/check/rule-problem.ts";
import type { Limit } from "../rules/limits.ts";
import type { Policy } from "../rules/policies.ts";
import type { CompiledRoute } from "../rules/routes.ts";
import {
  type CompiledRules,
  compileRules,
  patternsIn,
  type RuleSet,
  type Rules,
  type ScreenedPattern,
} from "../rules/rule-set.ts";
import { explainCommandHook } from "../safe/command-hook/check-command-hook.ts";
import type { CommandHooks } from "../safe/command-hook/command-hooks.ts";
import { isPlainSequence, mayHangCompile, readPattern } from "../safe/regex/pattern-syntax.ts";
import { screenPatterns } from "../safe/regex/regex-screen.ts";
import { compilePattern } from "../safe/regex/safe-regex.ts";

/** Patterns are tried in a child process first; all of them together get this long. */
const screenTimeoutMs = 15_000;

export interface RulesRequest {
  readonly version: number;
  readonly categories: Categories;
  readonly commands: Pick<CommandHooks, "bind">;
}

/** Throws with every problem at once. */
export async function loadRules(rules: Rules, request: RulesRequest): Promise<RuleSet> {
  const compiled = await compileScreened(rules, request);
  if (compiled.ok) return compiled.rules;
  throw new ToolgateError(`The rules cannot be used:\n${compiled.problems.map(describeProblem).join("\n")}`);
}

/** Rules that are compiled already, with more policies, and with hooks that the gate runs. */
export async function extendRules(
  { rules, compiled }: { readonly rules: Rules; readonly compiled: RuleSet },
  more: readonly Policy[],
  request: RulesRequest,
): Promise<RuleSet> {
  const names = new Set(compiled.policies.map(({ policy }) => policy.name));
  // Two policies of one name: the compiler says where the other one is.
  if (more.some(({ name }) => names.has(name)))
    return loadRules({ ...rules, policies: [...(rules.policies ?? []), ...more] }, request);
  const { policies, hooks } = await loadRules({ policies: more, hooks: rules.hooks ?? [] }, request);
  const byPriority = [...compiled.policies, ...policies].sort((a, b) => b.priority - a.priority);
  return { ...compiled, version: request.version, policies: byPriority, hooks };
}

export async function compileScreened(
  rules: Rules,
  { version, categories, commands }: RulesRequest,
): Promise<CompiledRules> {
  const { hooks, problems: unfit } = bindHooks(rules.hooks ?? [], commands);
  const all = patternsIn(rules);
  const patterns = all.filter(isToBeTried);
  const screened = await screenPatterns(patterns, { timeoutMs: screenTimeoutMs });
  const refused = [...screened].flatMap(([index, why]) => {
    const one = patterns[index];
    return one === undefined ? [] : [{ ...one, why }];
  });
  const unfitTexts = new Set(refused.map(textOf));
  const compilePatterns = withStandIns(
    await compileInTurns(all.filter((one) => !unfitTexts.has(textOf(one)))),
    unfitTexts,
  );
  const compiled = compileRules({ ...rules, hooks }, version, compilePatterns);
  if (compiled.ok && refused.length === 0) await inTurns(compiled.rules.routes, lookUpNeeds);
  const problems = [
    ...unfit,
    ...refused.map(
      ({ rule, place, why }): RuleProblem => ({
        rule,
        message: `its pattern is refused: ${why}`,
        ...(place && { source: place }),
      }),
    ),
    ...(compiled.ok ? [] : compiled.problems),
    ...unknownCategories(rules.limits ?? [], categories),
  ];
  return compiled.ok && problems.length === 0 ? compiled : { ok: false, problems };
}

/** Code may have made limits of any form; what has no category is told of elsewhere. */
function unknownCategories(limits: readonly Limit[], categories: Categories): RuleProblem[] {
  return limits.flatMap((limit): RuleProblem[] => {
    const { name, category, source } = limit ?? {};
    if (typeof category !== "string") return [];
    const unknown = categoriesNamed(category).find((id) => categories.get(id) === undefined);
    if (unknown === undefined) return [];
    const message = `there is no category "${unknown}".`;
    return [{ rule: `limit "${name}"`, message, ...(source && { source }) }];
  });
}

function textOf({ source, flags }: Pick<ScreenedPattern, "source" | "flags">): string {
  return `${flags}/${source}`;
}

/** What was refused is never compiled; the rest of its rule is still looked at. */
function withStandIns(compile: CompilePattern, refused: ReadonlySet<string>): CompilePattern {
  return (source, flags = "") =>
    refused.has(textOf({ source, flags })) ? compile("x") : compile(source, flags);
}

/**
 * Every pattern of a file is tried that is more than a row of characters; one of code, or of this package,
 * only where it looks slow.
 */
function isToBeTried({ source, flags, place, tier }: ScreenedPattern): boolean {
  if (isPlainSequence(source, flags)) return false;
  if (place !== undefined && tier !== "shipped") return true;
  const syntax = readPattern(source, flags);
  return syntax.ok && mayHangCompile(syntax.source, syntax.shape);
}

/** Thousands of patterns that each take a moment would together hold up everybody else. */
async function compileInTurns(patterns: readonly ScreenedPattern[]): Promise<CompilePattern> {
  const compiled = new Map<string, CompiledPattern>();
  await inTurns(patterns, ({ source, flags }) => {
    compiled.set(textOf({ source, flags }), compilePattern(source, flags));
  });
  return (source, flags = "") => compiled.get(textOf({ source, flags })) ?? compilePattern(source, flags);
}

/** Otherwise the first call would pay for all routes. Our own are few, and most commands see no call. */
function lookUpNeeds(route: CompiledRoute): void {
  if (route.ref.tier !== "shipped") route.needs;
}

const turnMs = 5;

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  let began = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - began < turnMs) continue;
    await setImmediate();
    began = performance.now();
  }
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
