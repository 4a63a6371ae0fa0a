/** What is wrong with a server that was asked just now. Undefined: it works, or nobody wants it to. */
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";

export function whyItDoesNotWork({ state, problem }: UpstreamStatus): string | undefined {
  if (state === "disabled") return undefined;
  // One that is ready may have answered everything but which tools it has.
  return state === "ready" || state === "idle" ? problem : (problem ?? `it is ${state}`);
}
