/** A rule that cannot be used, said so that its author finds and mends it. */
import type { RuleRef, RuleSource } from "../../core/call/errors.ts";

export interface RuleProblem {
  readonly rule: string;
  readonly message: string;
  /** Without a value of the rule. Undefined: nobody has said what may be told. */
  readonly plain?: string;
  readonly source?: RuleSource;
}

export function placeOf(source: RuleSource | undefined): string {
  if (source === undefined) return "";
  const { file, line, column } = source;
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}

export function describeProblem(problem: RuleProblem): string {
  const place = placeOf(problem.source);
  return `${place === "" ? "" : `${place}: `}${problem.rule}: ${problem.message}`;
}

interface PlacedRule {
  readonly name: string;
  readonly source?: RuleSource;
}

/** Adds problems of one rule. */
export function problemsOf(kind: RuleRef["kind"], { name, source }: PlacedRule, problems: RuleProblem[]) {
  return (message: string, plain?: string): void => {
    problems.push({
      rule: `${kind} "${name}"`,
      message,
      ...(plain !== undefined && { plain }),
      ...(source && { source }),
    });
  };
}

/** The rule as records and answers name it. */
export function refOf(kind: RuleRef["kind"], { name, source }: PlacedRule, tier?: string): RuleRef {
  return { kind, name, ...(tier !== undefined && { tier }), ...(source && { source }) };
}
