/** How the tokens of a team's identity provider are read (OAuth 2.1 resource server). */
import type { Right } from "../rights.ts";

export interface OAuthSettings {
  /** Exactly as in the tokens' `iss`. */
  readonly issuer: string;
  /** What tokens for this server have as `aud`: usually its public URL. */
  readonly audience: string;
  /** Where the issuer's public keys are; one of the two. */
  readonly jwksUrl?: string | undefined;
  readonly jwksFile?: string | undefined;
  /** Which scope gives which right. Default: `toolgate:call` and so on. */
  readonly scopes: Readonly<Record<string, Right>>;
  /** The claim that names the caller. */
  readonly callerClaim: string;
  /** What calls of its callers may use. */
  readonly capabilities: readonly string[];
  /** The issuer may be on this machine or in a private network. */
  readonly allowPrivate: boolean;
}

export const defaultScopes: Readonly<Record<string, Right>> = {
  "toolgate:call": "call",
  "toolgate:read": "read",
  "toolgate:approve": "approve",
  "toolgate:admin": "admin",
};
