/** A rule that cannot be used, said so that its author finds and mends it. */
import type { RuleSource } from "../core/errors.ts";

export interface RuleProblem {
  readonly rule: string;
  readonly message: string;
  readonly source?: RuleSource;
}

export function placeOf(source: RuleSource | undefined): string {
  if (source === undefined) return "";
  return source.line === undefined ? source.file : `${source.file}:${source.line}`;
}

export function describeProblem(problem: RuleProblem): string {
  const place = placeOf(problem.source);
  return `${place === "" ? "" : `${place}: `}${problem.rule}: ${problem.message}`;
}
