/** The store cannot be reached: the call is refused with when to try again. Only where it has changed nothing yet. */
import { messageOf, Stop } from "../core/call/errors.ts";
import { StoreError } from "../core/ports/store-error.ts";

/** Database servers that restart are back within seconds. */
const tryAgainMs = 2_000;

/** Undefined: it is something else. */
export function storeAway(error: unknown): Stop | undefined {
  if (!(error instanceof StoreError) || error.problem !== "unavailable") return undefined;
  return new Stop("store_unavailable", "ledger", messageOf(error), {
    retryAfterMs: tryAgainMs,
    cause: error,
  });
}
