/** Who may come in where the routes are mounted: given tokens, those of the store, and whom the program knows. */
import { ToolgateError } from "../../core/call/errors.ts";
import { isRight, type TokenList, type TokenRecord } from "../../core/ports/tokens.ts";
import type { TokenHolder } from "../http/rights.ts";
import type { TokenCheck } from "../http/server-parts.ts";
import { hashToken } from "../http/tokens/give-token.ts";
import { createTokenCheck } from "../http/tokens/token-check.ts";
import type { FoundToken, HandlerToken, HttpHandlerOptions } from "./create-http-handler.ts";

export function createHandlerTokens(options: HttpHandlerOptions): TokenCheck {
  const { tokens = [], store, findToken, onBroken } = options;
  const listed = createTokenCheck({
    tokens: store?.tokens ?? { list: () => noTokens },
    besides: tokens.map(recordOf),
    ...(onBroken && { onUnreadable: onBroken }),
  });
  if (findToken === undefined) return listed;
  return {
    find: async (token) => (await listed.find(token)) ?? holderOf(await findToken(token)),
  };
}

const noTokens: TokenList = { ok: true, tokens: [] };

function recordOf({ token, name, rights, capabilities = ["*"], expiresAt }: HandlerToken): TokenRecord {
  const record = {
    name,
    rights,
    capabilities,
    sha256: hashToken(token),
    createdAt: new Date().toISOString(),
  };
  return expiresAt === undefined ? record : { ...record, expiresAt };
}

/** Throws for what is no holder: the request is then refused, and the log says why. */
function holderOf(found: FoundToken | undefined): TokenHolder | undefined {
  if (found === undefined || found === null) return undefined;
  const { caller, rights } = found;
  const isCaller = typeof caller?.id === "string" && caller.id !== "" && Array.isArray(caller.capabilities);
  if (!isCaller || !Array.isArray(rights) || !rights.every(isRight))
    throw new ToolgateError(
      "findToken must answer { caller: { id, capabilities }, rights }, or nothing for a token that is not valid.",
    );
  const { id, capabilities } = caller;
  return {
    // Rules that go by rights must know them here, too: unknown ones lift nothing and stop everything.
    caller: Object.freeze({
      id,
      capabilities: Object.freeze([...capabilities]),
      rights: Object.freeze([...rights]),
    }),
    rights: new Set(rights),
  };
}
