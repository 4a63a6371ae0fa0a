/** What is wrong with a server that was asked just now, and how that is shown to a person. */
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";
import { visible } from "../../../../core/text/visible.ts";

/** Undefined: the server works, or it is disabled. */
export function whyItDoesNotWork({ state, problem }: UpstreamStatus): string | undefined {
  if (state === "disabled") return undefined;
  // A server that is ready may still have failed to list its tools.
  return state === "ready" || state === "idle" ? problem : (problem ?? `it is ${state}`);
}

/** The server's last words are several lines, and must not look like ours. Where in its code it broke is for its author. */
export function shownProblem(problem: string): string {
  const lines = problem.split("\n").filter((line) => !stackLine.test(line));
  return visible(lines.join("\n"), { keepNewlines: true }).trimEnd().replaceAll("\n", "\n    ");
}

/** Of Node: a place in the code, and its own version below. */
const stackLine = /^\s*(?:at (?:.+ \(.+\)|(?:async )?\S+:\d+:\d+)|Node\.js v[\d.]+)\s*$/;
