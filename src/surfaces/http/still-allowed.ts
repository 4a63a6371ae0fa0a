/** For long requests: a token may be taken back, expire or lose rights before the answer. */

import { readBearer } from "./bearer.ts";
import type { Right, TokenHolder } from "./rights.ts";
import type { TokenCheck } from "./server-parts.ts";

interface Asked {
  readonly holder: TokenHolder;
  header(name: string): string | undefined;
}

/** Could the request be made again now, with one of these rights and the same capabilities? */
export async function isStillAllowed(
  request: Asked,
  tokens: TokenCheck,
  rights: readonly Right[],
): Promise<boolean> {
  const found = await tokens.find(readBearer(request.header("authorization")) ?? "");
  if (found === undefined) return false;
  const { id, capabilities } = request.holder.caller;
  return (
    found.caller.id === id &&
    rights.some((right) => found.rights.has(right)) &&
    capabilities.every((one) => found.caller.capabilities.includes(one))
  );
}
