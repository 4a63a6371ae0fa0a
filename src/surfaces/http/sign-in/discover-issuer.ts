/** Where an OpenID provider signs people in and exchanges codes, by its own words (OpenID Connect Discovery). */
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import { isRecord } from "../../../core/input/json.ts";
import { safeFetch } from "../../../safe/net/safe-fetch.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";
import { isLoopback } from "../check-origin.ts";
import { createKeptAnswer } from "../tokens/kept-answer.ts";
import { refuseSignIn, type SignInRefusal } from "./refusal.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export interface IssuerPlaces {
  readonly authorize: string;
  readonly token: string;
  /** The client's secret belongs into the body, not into a header: the issuer takes it no other way. */
  readonly secretInBody: boolean;
}

export type FoundIssuer = { readonly ok: true; readonly places: IssuerPlaces } | SignInRefusal;

const keepMs = 10 * 60_000;
/** A person waits for it: sooner than for keys. */
const askAgainMs = 5_000;
const endMs = 60 * 60_000;

export function createIssuerDiscovery(
  { issuer, allowPrivate }: Pick<SignInSettings, "issuer" | "allowPrivate">,
  now: () => number,
): () => Promise<FoundIssuer> {
  const kept = createKeptAnswer({
    ask: () => discover(issuer, allowPrivate),
    keepMs,
    askAgainMs,
    endMs,
    notYet: () => new ToolgateError("it was asked a moment ago, and did not answer well."),
    now,
  });
  return async () => {
    try {
      return { ok: true, places: await kept.current() };
    } catch (error) {
      return refuseSignIn(
        "away",
        `The identity provider ${hostOf(issuer)} cannot be asked: ${messageOf(error)}`,
        "Try again in a moment; until then a link of `toolgate console` or a token lets you in.",
      );
    }
  };
}

/** Over plain http only on this machine: whoever reads or changes the answer could sign in as anybody. */
export function isGuardedUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(host));
}

export function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}

async function discover(issuer: string, allowPrivate: boolean): Promise<IssuerPlaces> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const answer = await safeFetch({
    url,
    headers: { accept: "application/json" },
    timeoutMs: 5_000,
    maxBytes: 256 * 1024,
    maxRedirects: 0,
    allowPrivate,
  });
  if (!answer.ok) throw new ToolgateError(answer.message);
  if (answer.status !== 200) throw new ToolgateError(`${url} answers with status ${answer.status}.`);
  const parsed = parseJson(answer.text());
  const said = parsed.ok && isRecord(parsed.value) ? parsed.value : undefined;
  if (said === undefined) throw new ToolgateError(`${url} does not hold a JSON object.`);
  if (said.issuer !== issuer)
    throw new ToolgateError(`${url} names another issuer than server.oauth.issuer, which is ${issuer}.`);
  const methods = said.token_endpoint_auth_methods_supported;
  return {
    authorize: addressIn(said, "authorization_endpoint", url),
    token: addressIn(said, "token_endpoint", url),
    secretInBody:
      Array.isArray(methods) &&
      methods.includes("client_secret_post") &&
      !methods.includes("client_secret_basic"),
  };
}

function addressIn(said: Readonly<Record<string, unknown>>, name: string, where: string): string {
  const address = said[name];
  if (typeof address !== "string" || !isGuardedUrl(address))
    throw new ToolgateError(`${where} names no ${name} that begins with https://.`);
  return address;
}
