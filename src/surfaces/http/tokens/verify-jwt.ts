/** Is this JSON Web Token of this issuer, for this audience, and good now? If not, it says what is wrong with it. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { messageOf } from "../../../core/call/errors.ts";
import type { KeySource } from "./key-source.ts";

export type VerifiedJwt =
  | { readonly ok: true; readonly payload: JWTPayload }
  /** `keys`: the issuer's keys cannot be had. `time`: a clock differs, or it is old. */
  | {
      readonly ok: false;
      readonly why: "keys" | "time" | "claims" | "signature";
      readonly message: string;
    };

export interface JwtVerifierOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: KeySource;
  readonly now: () => number;
  /** Besides `exp`. */
  readonly requiredClaims?: readonly string[];
}

/** Public keys only: with a shared secret, a server that checks tokens could also make them. */
const algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

export function createJwtVerifier({
  issuer,
  audience,
  keys,
  now,
  requiredClaims = [],
}: JwtVerifierOptions): (token: string) => Promise<VerifiedJwt> {
  const verify = async (token: string, set: JSONWebKeySet) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet(set), {
      issuer,
      audience,
      algorithms,
      clockTolerance: 30,
      requiredClaims: ["exp", ...requiredClaims],
      currentDate: new Date(now()),
    });
    return payload;
  };
  return async (token) => {
    let set: JSONWebKeySet;
    try {
      set = await keys.current();
    } catch (error) {
      return { ok: false, why: "keys", message: messageOf(error) };
    }
    try {
      return { ok: true, payload: await verify(token, set) };
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) return refusalOf(error);
    }
    try {
      // The issuer may have changed its keys since.
      const newer = await keys.newer();
      if (newer === undefined) return unknownKey;
      return { ok: true, payload: await verify(token, newer) };
    } catch (error) {
      return refusalOf(error);
    }
  };
}

const unknownKey = { ok: false, why: "signature", message: "no key of the issuer fits" } as const;

function refusalOf(error: unknown): VerifiedJwt {
  const message = messageOf(error);
  if (error instanceof errors.JWTExpired) return { ok: false, why: "time", message };
  if (error instanceof errors.JWTClaimValidationFailed)
    return { ok: false, why: isTime(error) ? "time" : "claims", message };
  return error instanceof errors.JWKSNoMatchingKey ? unknownKey : { ok: false, why: "signature", message };
}

function isTime({ claim, reason }: errors.JWTClaimValidationFailed): boolean {
  return reason !== "missing" && /^(?:exp|nbf|iat)$/.test(claim);
}
