/** What is wrong with a server that was asked just now, and how that is shown to a person. */
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";
import { visible } from "../../../../core/text/visible.ts";

/** Undefined: it works, or nobody wants it to. */
export function whyItDoesNotWork({ state, problem }: UpstreamStatus): string | undefined {
  if (state === "disabled") return undefined;
  // One that is ready may have answered everything but which tools it has.
  return state === "ready" || state === "idle" ? problem : (problem ?? `it is ${state}`);
}

/** Its own last words are several lines, and must not pass for ours. */
export function shownProblem(problem: string): string {
  return visible(problem, { keepNewlines: true }).trimEnd().replaceAll("\n", "\n    ");
}
