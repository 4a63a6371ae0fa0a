/** What is wrong with rule files, in one text for whoever wants to use them. */
import { describeConfigProblem } from "../config/config-problem.ts";
import { visible } from "../core/text/visible.ts";
import type { OpenConfig } from "./open-config.ts";

/** Empty: nothing. */
export function explainProblems(problems: OpenConfig["problems"]): string {
  if (problems.length === 0) return "";
  const told = problems.slice(0, 5).map((one) => visible(describeConfigProblem(one)));
  return `The rules of this folder cannot be used: ${told.join(" ")} Mend the file; \`toolgate config validate\` in the folder shows everything that is wrong.`;
}
