/** Takes JSON Web Tokens of one issuer that were made for this server, and nothing else. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { Right, TokenHolder } from "../rights.ts";
import type { KeySource } from "./key-source.ts";
import type { OAuthSettings } from "./oauth-settings.ts";

export interface JwtCheck {
  find(token: string): Promise<TokenHolder | undefined>;
}

/** Public keys only: with a shared secret, a server that checks tokens could also make them. */
const algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

export function createJwtCheck(
  settings: OAuthSettings,
  keys: KeySource,
  now: () => number = Date.now,
): JwtCheck {
  const { issuer, audience } = settings;
  const verify = async (token: string, set: JSONWebKeySet) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(set), {
      issuer,
      audience,
      algorithms,
      clockTolerance: 30,
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    });
    return toHolder(payload, settings);
  };
  return {
    async find(token) {
      try {
        return await verify(token, await keys.current());
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) return undefined;
      }
      try {
        // The issuer may have changed its keys since.
        const newer = await keys.newer();
        return newer === undefined ? undefined : await verify(token, newer);
      } catch {
        return undefined;
      }
    },
  };
}

/** A JWT is three parts with dots between them; our own tokens have none. */
export function looksLikeJwt(token: string): boolean {
  return token.startsWith("eyJ") && token.split(".", 4).length === 3;
}

function toHolder(payload: JWTPayload, settings: OAuthSettings): TokenHolder | undefined {
  const name = payload[settings.callerClaim];
  if (typeof name !== "string" || name === "" || name.length > 200) return undefined;
  const rights = new Set<Right>();
  for (const scope of scopesOf(payload)) {
    const right = Object.hasOwn(settings.scopes, scope) ? settings.scopes[scope] : undefined;
    if (right !== undefined) rights.add(right);
  }
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

/** `scope` is text with spaces (RFC 9068); some providers write a list called `scp`. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  if (typeof scope === "string") return scope.split(" ");
  if (Array.isArray(scp)) return scp.filter((one): one is string => typeof one === "string");
  return typeof scp === "string" ? scp.split(" ") : [];
}
