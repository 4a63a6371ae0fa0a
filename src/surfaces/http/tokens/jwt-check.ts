/** Takes JSON Web Tokens of one issuer that were made for this server, and nothing else. */
import type { JWTPayload } from "jose";
import { hasInvisible } from "../../../core/text/visible.ts";
import type { Right, TokenHolder } from "../rights.ts";
import { isChecked } from "./checked-claim.ts";
import type { KeySource } from "./key-source.ts";
import type { OAuthSettings } from "./oauth-settings.ts";
import { createJwtVerifier } from "./verify-jwt.ts";

export interface JwtCheck {
  find(token: string): Promise<TokenHolder | undefined>;
}

export function createJwtCheck(
  settings: OAuthSettings,
  keys: KeySource,
  now: () => number = Date.now,
): JwtCheck {
  const { issuer, audience } = settings;
  const verify = createJwtVerifier({ issuer, audience, keys, now });
  return {
    async find(token) {
      const verified = await verify(token);
      return verified.ok ? toHolder(verified.payload, settings) : undefined;
    },
  };
}

/** A JWT is three parts with dots between them; our own tokens have none. */
export function looksLikeJwt(token: string): boolean {
  return token.startsWith("eyJ") && token.split(".", 4).length === 3;
}

function toHolder(payload: JWTPayload, settings: OAuthSettings): TokenHolder | undefined {
  const name = payload[settings.callerClaim];
  if (typeof name !== "string" || name === "" || name.length > 200 || hasInvisible(name)) return undefined;
  // Access tokens often do not say; what says no is nobody's address.
  if (isChecked(payload, settings.callerClaim) === false) return undefined;
  const rights = rightsOfScopes(scopesOf(payload), settings.scopes);
  return {
    // Prefixed: no provider can hand out the names of our own tokens.
    caller: Object.freeze({
      id: `oauth:${name}`,
      capabilities: settings.capabilities,
      rights: Object.freeze([...rights]),
    }),
    rights,
    expiresAt: payload.exp === undefined ? undefined : payload.exp * 1_000,
  };
}

/** Scopes that nobody listed give nothing. */
export function rightsOfScopes(scopes: readonly string[], listed: OAuthSettings["scopes"]): Set<Right> {
  const rights = new Set<Right>();
  for (const scope of scopes) {
    const right = Object.hasOwn(listed, scope) ? listed[scope] : undefined;
    if (right !== undefined) rights.add(right);
  }
  return rights;
}

/** `scope` is text with spaces (RFC 9068); some providers write a list called `scp`. */
export function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  if (typeof scope === "string") return scope.split(" ");
  if (Array.isArray(scp)) return scp.filter((one): one is string => typeof one === "string");
  return typeof scp === "string" ? scp.split(" ") : [];
}
