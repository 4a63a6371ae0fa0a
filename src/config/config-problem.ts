/** Something wrong in a file, said so that its author finds it: what, where, what to do. */
import type { RuleSource } from "../core/call/errors.ts";
import { placeOf } from "../rules/check/rule-problem.ts";

export interface ConfigProblem extends RuleSource {
  readonly message: string;
}

/** Told of a file that nobody vouches for: a full message could repeat words of a file that it leads to. */
export const withoutDetail =
  "This part cannot be used as it is written (toolgate config validate FILE says more).";

/** `toolgate.yaml:3:7: routes.x: needs a message.` */
export function describeConfigProblem(problem: ConfigProblem): string {
  return `${placeOf(problem)}: ${problem.message}`;
}

/** File by file, and in each in the order of its lines; what has no line comes last. */
export function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const files = [...new Set(problems.map(({ file }) => file))];
  const last = Number.MAX_SAFE_INTEGER;
  return problems.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? last) - (b.line ?? last) ||
      (a.column ?? last) - (b.column ?? last),
  );
}
