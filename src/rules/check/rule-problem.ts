/** A rule that cannot be used, said so that its author finds and mends it. */
import type { RuleSource } from "../../core/call/errors.ts";

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
