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
