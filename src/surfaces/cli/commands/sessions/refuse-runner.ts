/** Refuses an agent that cannot be had, before anything is kept of the session that wants it. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import { explainNoRunner, type LookedAt } from "../../../../sessions/start/choose-runner.ts";

/** `asked` undefined: whichever is the default. Throws with the names of those that there are. */
export function refuseWithoutRunner(asked: string | undefined, runners: readonly LookedAt[]): void {
  const none = explainNoRunner(asked, runners);
  if (none === undefined) return;
  throw new ToolgateError([none.message, none.hint].filter(Boolean).join(" "));
}
