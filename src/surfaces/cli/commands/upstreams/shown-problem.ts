/** Why a server does not work, as a person reads it: its own last words are several lines, and must not pass for ours. */
import { visible } from "../../../../core/text/visible.ts";

export function shownProblem(problem: string): string {
  return visible(problem, { keepNewlines: true }).trimEnd().replaceAll("\n", "\n    ");
}
