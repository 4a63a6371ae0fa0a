/** Who the person is and what they may do, by an ID token that was made for this very sign-in. */
import { hash } from "node:crypto";
import type { JWTPayload } from "jose";
import { type Right, rights } from "../rights.ts";
import { isChecked } from "../tokens/checked-claim.ts";
import { rightsOfScopes, scopesOf } from "../tokens/jwt-check.ts";
import type { KeySource } from "../tokens/key-source.ts";
import { createJwtVerifier, type VerifiedJwt } from "../tokens/verify-jwt.ts";
import { hostOf } from "./discover-issuer.ts";
import { refuseSignIn, type SignInRefusal } from "./refusal.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export interface Person {
  readonly ok: true;
  readonly name: string;
  readonly subject: string;
  readonly rights: readonly Right[];
}

export interface GivenIdToken {
  readonly idToken: string;
  readonly nonce: string;
  /** What the issuer said it granted, beside the token. */
  readonly scopes: readonly string[];
}

export function createIdTokenCheck(settings: SignInSettings, keys: KeySource, now: () => number) {
  const { issuer, clientId } = settings;
  const host = hostOf(issuer);
  const requiredClaims = ["iat", "sub", "nonce"];
  const verify = createJwtVerifier({ issuer, audience: clientId, keys, now, requiredClaims });
  return async ({ idToken, nonce, scopes }: GivenIdToken): Promise<Person | SignInRefusal> => {
    const verified = await verify(idToken);
    if (!verified.ok) return explain(verified, host);
    const { payload } = verified;
    const wrong = whyForAnother(payload, nonce, clientId);
    if (wrong !== undefined) return foreign(host, wrong);
    const name = nameOf(payload, settings.callerClaim);
    if (name === undefined)
      return refuseSignIn(
        "refused",
        `${host} does not say who you are: the ID token has no claim ${settings.callerClaim} that can be used.`,
        `${notChecked(payload, settings.callerClaim)}Whoever runs the server names another claim in server.oauth.console.caller_claim, or asks for more scopes.`,
      );
    const held = rightsOf(payload, scopes, settings);
    if (held.length > 0) return { ok: true, name, subject: String(payload.sub), rights: held };
    return refuseSignIn(
      "refused",
      `You are signed in as ${name}, but nothing that ${host} says about you gives a right here.`,
      settings.rights.by === "claim"
        ? `${notChecked(payload, settings.rights.claim)}Whoever runs the server lists one of your ${settings.rights.claim} in server.oauth.console.rights.`
        : "Whoever runs the server lists in server.oauth.scopes which scope gives which right, and the issuer grants it.",
    );
  };
}

function explain(verified: Exclude<VerifiedJwt, { ok: true }>, host: string): SignInRefusal {
  const { why, message } = verified;
  if (why === "keys")
    return refuseSignIn(
      "away",
      `The keys of ${host} cannot be had: ${message}`,
      "Sign in again in a moment.",
    );
  if (why === "time")
    return refuseSignIn(
      "refused",
      `The ID token of ${host} is not good at this time (${message}).`,
      "The clock of the server or of the issuer is off; whoever runs the server sets it right.",
    );
  return foreign(host, message);
}

function foreign(host: string, reason: string): SignInRefusal {
  return refuseSignIn(
    "refused",
    `The ID token of ${host} was not made for this sign-in: ${reason}.`,
    "Sign in again. If it stays so, compare server.oauth with what the issuer says about itself.",
  );
}

/** What the signature cannot tell: a token of another sign-in, or one for another client that names us, too. */
function whyForAnother({ nonce, aud, azp, sub }: JWTPayload, expected: string, clientId: string) {
  if (nonce !== expected) return "its nonce is another one";
  if (typeof sub !== "string" || sub.trim() === "") return "its subject is no text";
  if (azp !== undefined && azp !== clientId) return "azp names another client";
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) return "azp is missing";
  return undefined;
}

/** Part of a token's name, which people read and type. */
function nameOf(payload: JWTPayload, claim: string): string | undefined {
  const name = claimOf(payload, claim);
  if (typeof name !== "string" || name.trim() === "" || name.length > 200) return undefined;
  const readable = name.replaceAll(/[^\w.@+-]/g, "_").slice(0, 64);
  if (readable === name) return name;
  // Whose name had to be changed would be the namesake of others, so it gets a mark that people cannot choose.
  return `${readable.slice(0, 53)}~${hash("sha256", String(payload.sub), "hex").slice(0, 10)}`;
}

/** Anybody can call themselves by an address that nobody has checked. */
function claimOf(payload: JWTPayload, claim: string): unknown {
  return isChecked(payload, claim) === true ? payload[claim] : undefined;
}

function notChecked(payload: JWTPayload, claim: string): string {
  return isChecked(payload, claim) === true ? "" : `${claim} counts only with ${claim}_verified: true. `;
}

function rightsOf(
  payload: JWTPayload,
  granted: readonly string[],
  { rights: by, askedScopes }: Pick<SignInSettings, "rights" | "askedScopes">,
): readonly Right[] {
  // A person can add scopes to the address at which the issuer is asked, and it may grant them.
  const wasAsked = (scope: string) => askedScopes.includes(scope);
  const held =
    by.by === "scope"
      ? rightsOfScopes([...granted, ...scopesOf(payload)].filter(wasAsked), by.scopes)
      : new Set(
          textsOf(claimOf(payload, by.claim)).flatMap((value) =>
            Object.hasOwn(by.values, value) ? (by.values[value] ?? []) : [],
          ),
        );
  return rights.filter((right) => held.has(right));
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.filter((one): one is string => typeof one === "string");
  return typeof value === "string" ? [value] : [];
}
