/** How people sign in to the console with the identity provider whose tokens the server takes (OpenID Connect). */
import type { Right } from "../rights.ts";
import type { OAuthSettings } from "../tokens/oauth-settings.ts";

export interface SignInSettings extends Pick<OAuthSettings, "issuer" | "allowPrivate" | "capabilities"> {
  readonly clientId: string;
  /** Read whenever it is needed: it can be changed while the server runs. Undefined: a public client. */
  readonly clientSecret: (() => string) | undefined;
  /** What the issuer is asked for, `openid` among it. */
  readonly askedScopes: readonly string[];
  /** The claim that names the person. */
  readonly callerClaim: string;
  readonly rights: RightsByClaim | RightsByScope;
  /** Where the issuer sends browsers back to. Undefined: to `/login` of where the page is. */
  readonly redirectUrl: string | undefined;
}

/** By a claim of the ID token, such as the person's groups. */
export interface RightsByClaim {
  readonly by: "claim";
  readonly claim: string;
  readonly values: Readonly<Record<string, readonly Right[]>>;
}

/** By the scopes that the issuer says it has granted. */
export interface RightsByScope {
  readonly by: "scope";
  readonly scopes: OAuthSettings["scopes"];
}
