/** For what takes long: a token may be taken back, expire, or be given fewer rights while its request is being answered. */

import { readBearer } from "./bearer.ts";
import type { Principal, Right } from "./rights.ts";
import type { TokenCheck } from "./server-parts.ts";

interface Asked {
  readonly principal: Principal;
  header(name: string): string | undefined;
}

/** Whether the request could be made again now, with one of these rights and all that its caller was capable of. */
export async function isStillAllowed(
  request: Asked,
  tokens: TokenCheck,
  rights: readonly Right[],
): Promise<boolean> {
  const found = await tokens.find(readBearer(request.header("authorization")) ?? "");
  if (found === undefined) return false;
  const { id, capabilities } = request.principal.caller;
  return (
    found.caller.id === id &&
    rights.some((right) => found.rights.has(right)) &&
    capabilities.every((one) => found.caller.capabilities.includes(one))
  );
}
