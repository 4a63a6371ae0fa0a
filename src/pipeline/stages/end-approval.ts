/** Tells the desk that the call a person approved has ended, so that nobody takes it for one that a crash interrupted. */

import type { ApprovalRef } from "../../core/call/outcome.ts";
import { asPromise } from "../../core/run/abort.ts";
import type { GateParts } from "../parts.ts";

/** The outcome does not wait for it: an end that could not be kept reads `unknown` later, which is the careful reading. */
export function endApproval({ kind, id }: ApprovalRef, { desk }: GateParts): void {
  if (kind !== "approval") return;
  try {
    asPromise(desk.done(id))?.catch(() => {});
  } catch {
    // As above.
  }
}
