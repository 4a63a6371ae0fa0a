/** Exchanges the code that a person brought back for the issuer's word about who it is. */
import { isRecord } from "../../../core/input/json.ts";
import { safeFetch } from "../../../safe/net/safe-fetch.ts";
import { parseJson } from "../../../safe/schema/json-guard.ts";
import { hostOf, type IssuerPlaces } from "./discover-issuer.ts";
import { refuseSignIn, type SignInRefusal } from "./refusal.ts";
import type { SignInSettings } from "./sign-in-settings.ts";

export interface CodeRequest {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUrl: string;
  readonly places: IssuerPlaces;
  readonly signal: AbortSignal;
}

export type ExchangedCode =
  | { readonly ok: true; readonly idToken: string; readonly scopes: readonly string[] }
  | SignInRefusal;

const maxTokenCharacters = 16 * 1024;

export async function exchangeCode(settings: SignInSettings, request: CodeRequest): Promise<ExchangedCode> {
  const host = hostOf(settings.issuer);
  const away = (reason: string) =>
    refuseSignIn(
      "away",
      `The identity provider ${host} did not exchange the code: ${reason}`,
      "Sign in again in a moment.",
    );
  let secret: string | undefined;
  try {
    secret = settings.clientSecret?.();
  } catch {
    // Where it should be is nothing for strangers.
    return refuseSignIn(
      "refused",
      "The server cannot read its secret for the identity provider.",
      "Whoever runs the server sets server.oauth.console.client_secret_env or client_secret_file right.",
    );
  }
  const answer = await safeFetch({
    url: request.places.token,
    method: "POST",
    ...formOf(settings.clientId, secret, request),
    timeoutMs: 10_000,
    maxBytes: 256 * 1024,
    maxRedirects: 0,
    allowPrivate: settings.allowPrivate,
    signal: request.signal,
  });
  if (!answer.ok) return away(answer.message);
  const parsed = parseJson(answer.text());
  const said: Readonly<Record<string, unknown>> = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  if (answer.status !== 200) return refusalOf(said.error, host) ?? away(`status ${answer.status}.`);
  const { id_token: idToken, scope } = said;
  if (typeof idToken !== "string" || idToken.length > maxTokenCharacters)
    return away("there is no ID token in its answer, or one that is too long.");
  // Only what the issuer says: many leave unknown scopes out without a word.
  return { ok: true, idToken, scopes: typeof scope === "string" ? scope.split(" ") : [] };
}

function formOf(clientId: string, secret: string | undefined, request: CodeRequest) {
  const { code, verifier, redirectUrl, places } = request;
  const inBody = secret !== undefined && places.secretInBody;
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUrl,
    client_id: clientId,
    code_verifier: verifier,
    ...(inBody && { client_secret: secret }),
  });
  return {
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(secret !== undefined && !inBody && { authorization: basic(clientId, secret) }),
    },
    body: body.toString(),
  };
}

/** Both parts are written as in a form first (RFC 6749, 2.3.1). */
function basic(clientId: string, secret: string): string {
  const written = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return `Basic ${Buffer.from(`${written(clientId)}:${written(secret)}`).toString("base64")}`;
}

/** The errors of RFC 6749, 5.2. Undefined: none of them. */
function refusalOf(error: unknown, host: string): SignInRefusal | undefined {
  if (error === "invalid_grant")
    return refuseSignIn(
      "old",
      `${host} does not take this sign-in any more: it was used already, or it is too old.`,
      "Sign in again.",
    );
  if (typeof error !== "string" || !/^[a-z_]{1,40}$/.test(error)) return undefined;
  return refuseSignIn(
    "refused",
    `${host} does not know this console as its client (${error}).`,
    "Whoever runs the server compares server.oauth.console with what is registered there: client, secret, redirect address.",
  );
}
