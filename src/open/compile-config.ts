/** Compiles the rules of configuration files; what is wrong with them is said with file, line and column. */
import { type ConfigProblem, withoutDetail } from "../config/config-problem.ts";
import { strangerBudget, tooMuch } from "../config/trust/strangers.ts";
import { Categories, type Category } from "../core/tool/categories.ts";
import { compileScreened } from "../gate/load-rules.ts";
import { findDoubtfulRules } from "../rules/check/doubtful-rules.ts";
import type { RuleProblem } from "../rules/check/rule-problem.ts";
import { patternsIn, type RuleSet, type Rules } from "../rules/rule-set.ts";
import { createCommandHooks } from "../safe/command-hook/command-hooks.ts";
import { type Tried, tryPatterns } from "../safe/regex/regex-screen.ts";

export type ConfiguredRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export interface Unvouched {
  /** Files whose patterns share one budget. */
  readonly bounded: readonly string[];
  /** Files of which no message repeats a word. */
  readonly discreet: readonly string[];
}

export async function compileConfigured(
  rules: Rules,
  { bounded, discreet }: Unvouched = { bounded: [], discreet: [] },
  /** Besides the shipped ones. */
  defined: readonly Category[] = [],
): Promise<ConfiguredRules> {
  const over = bounded.length === 0 ? undefined : await findTooCostly(rules, bounded);
  if (over !== undefined) return tooMuch(over, "cost");
  // Rules are only looked at here, and none of their hooks ever runs.
  const commands = createCommandHooks({ projectDir: "/" });
  const compiled = await compileScreened(rules, {
    version: 1,
    categories: new Categories(() => {}, defined),
    commands,
  });
  if (compiled.ok) return compiled;
  return { ok: false, problems: compiled.problems.map((problem) => toConfigProblem(problem, discreet)) };
}

/** What its author should know though it can be used. */
export function findDoubts(rules: Rules, { discreet }: Pick<Unvouched, "discreet">): ConfigProblem[] {
  return findDoubtfulRules(rules).map((problem) => toConfigProblem(problem, discreet));
}

/** The file in which the budget ends. Measured in a child process, before anything is compiled here. */
async function findTooCostly(rules: Rules, files: readonly string[]): Promise<string | undefined> {
  const patterns = patternsIn(rules).filter(({ place }) => place !== undefined && files.includes(place.file));
  const { timeoutMs, patternMs, totalMs, memoryBytes } = strangerBudget;
  const tried = await tryPatterns(patterns, { timeoutMs, maxCpuMs: totalMs });
  let [ms, bytes] = [0, 0];
  const index = tried.findIndex((one: Tried) => {
    if (one === "invalid") return false;
    if (typeof one !== "object") return true;
    ms += one.cpuMs;
    bytes += one.bytes;
    return one.cpuMs > patternMs || ms > totalMs || bytes > memoryBytes;
  });
  return patterns[index]?.place?.file;
}

function toConfigProblem(problem: RuleProblem, discreet: readonly string[]): ConfigProblem {
  const { rule, message, plain = withoutDetail, source } = problem;
  const { file = "(no file)", line, column } = source ?? {};
  return {
    file,
    message: `${rule}: ${discreet.includes(file) ? plain : message}`,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
