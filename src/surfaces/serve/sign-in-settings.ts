/** How people sign in to the console with the identity provider, out of `server.oauth.console`. */
import { isAbsolute } from "node:path";
import type { Environment } from "../../config/folders.ts";
import type { ServerSettings } from "../../config/settings/server-settings.ts";
import { messageOf, ToolgateError } from "../../core/call/errors.ts";
import { createSecretReader } from "../../open/read-secret.ts";
import { isGuardedUrl } from "../http/sign-in/discover-issuer.ts";
import type { SignInSettings } from "../http/sign-in/sign-in-settings.ts";
import type { OAuthSettings } from "../http/tokens/oauth-settings.ts";

type Said = NonNullable<NonNullable<ServerSettings["oauth"]>["console"]>;

/** Throws a ToolgateError that says what to change. */
export function readSignIn(
  oauth: OAuthSettings | undefined,
  said: Said | undefined,
  env: Environment,
): SignInSettings | undefined {
  if (oauth === undefined || said === undefined) return undefined;
  const { issuer, allowPrivate, capabilities } = oauth;
  const { jwksUrl } = oauth;
  const { clientId, redirectUrl, rights: values, scopes = [] } = said;
  if (!isGuardedUrl(issuer))
    throw wrong("needs an issuer (server.oauth.issuer) whose address begins with https://.");
  if (jwksUrl !== undefined && !isGuardedUrl(jwksUrl))
    throw wrong("needs keys (server.oauth.jwks_url) from an address that begins with https://.");
  if (redirectUrl !== undefined && !isGuardedUrl(redirectUrl))
    throw wrong("redirect_url must begin with https:// (http:// only on this machine).");
  for (const scope of scopes)
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
      throw wrong(`scopes: ${JSON.stringify(scope)} is not a scope; write one in each entry of the list.`);
  const rights: SignInSettings["rights"] =
    values === undefined
      ? { by: "scope", scopes: oauth.scopes }
      : { by: "claim", claim: said.rightsClaim ?? "groups", values };
  const asked = said.scopes ?? (rights.by === "scope" ? Object.keys(rights.scopes) : []);
  return {
    ...{ issuer, allowPrivate, capabilities, clientId, redirectUrl, rights },
    clientSecret: readSecret(said, env),
    askedScopes: [...new Set(["openid", ...asked])],
    callerClaim: said.callerClaim ?? oauth.callerClaim,
  };
}

function readSecret(said: Said, env: Environment): SignInSettings["clientSecret"] {
  const { clientSecretEnv: variable, clientSecretFile: file } = said;
  if (variable !== undefined && file !== undefined)
    throw wrong("takes client_secret_env or client_secret_file, not both.");
  if (file !== undefined && !isAbsolute(file)) throw wrong("client_secret_file must be an absolute path.");
  const read = createSecretReader({ variable, file }, env);
  const trimmed = read && (() => read().trim());
  try {
    trimmed?.();
  } catch (error) {
    throw wrong(`needs the client's secret, and ${messageOf(error)}`);
  }
  return trimmed;
}

function wrong(reason: string): ToolgateError {
  return new ToolgateError(`server.oauth.console ${reason}`);
}
