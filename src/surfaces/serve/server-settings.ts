/** Joins the options of `toolgate serve` and the configuration, and refuses an open gate. */
import { readFileSync } from "node:fs";
import type { Environment } from "../../config/folders.ts";
import type { ServerSettings } from "../../config/settings/server-settings.ts";
import { messageOf, ToolgateError } from "../../core/call/errors.ts";
import { isLoopback } from "../http/check-origin.ts";
import type { ServerLimits } from "../http/server-limits.ts";
import type { SignInSettings } from "../http/sign-in/sign-in-settings.ts";
import { defaultScopes, type OAuthSettings } from "../http/tokens/oauth-settings.ts";
import { readSignIn } from "./sign-in-settings.ts";

export const defaultPort = 4655;

export interface ServerOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

export interface ChosenServer {
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly hasConsole: boolean;
  readonly drainMs: number;
  readonly limits: Partial<ServerLimits>;
  readonly oauth: OAuthSettings | undefined;
  /** Undefined: nobody signs in to the console with the identity provider. */
  readonly signIn: SignInSettings | undefined;
}

/** Throws a ToolgateError that says what is missing. */
export function chooseServer(
  options: ServerOptions,
  configured: ServerSettings = {},
  env: Environment = {},
): ChosenServer {
  const { host = configured.host ?? "127.0.0.1", port = configured.port ?? defaultPort } = options;
  if (port > 65_535) throw new ToolgateError(`${port} is not a port: they end at 65535.`);
  for (const origin of configured.origins ?? [])
    if (URL.parse(origin)?.origin !== origin)
      throw new ToolgateError(
        `server.origins: ${JSON.stringify(origin)} is not an origin; write it like https://console.example.com.`,
      );
  const oauth = readOAuth(configured.oauth);
  const hasConsole = configured.console !== "off";
  return {
    host,
    port,
    hosts: configured.hosts ?? [],
    origins: configured.origins ?? [],
    tls: readTls(options, configured),
    hasConsole,
    drainMs: configured.drainMs ?? 10_000,
    limits: configured.limits ?? {},
    oauth,
    signIn: hasConsole ? readSignIn(oauth, configured.oauth?.console, env) : undefined,
  };
}

/** Why it must not listen: tokens could be read off the wire, or the gate has no guard. */
export function whyNotExposed(
  { host, tls, oauth }: Pick<ChosenServer, "host" | "tls" | "oauth">,
  givenTokens: number,
): string | undefined {
  if (isLoopback(host)) return undefined;
  const missing = [
    ...(tls === undefined ? ["a certificate (--tls-cert and --tls-key, or server.tls)"] : []),
    ...(oauth === undefined && givenTokens === 0
      ? ["somebody who may come in (toolgate tokens create NAME, or server.oauth)"]
      : []),
  ];
  if (missing.length === 0) return undefined;
  return `${host} can be reached from other machines, which needs ${missing.join(" and ")}. Without --host it listens on this machine only.`;
}

function readTls(options: ServerOptions, { tls }: ServerSettings): ChosenServer["tls"] {
  const cert = options.tlsCert ?? tls?.cert;
  const key = options.tlsKey ?? tls?.key;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ToolgateError("TLS needs both: --tls-cert FILE and --tls-key FILE.");
  return { cert: readPem(cert, "certificate"), key: readPem(key, "key") };
}

function readPem(file: string, what: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ToolgateError(`The TLS ${what} cannot be read: ${messageOf(error)}`);
  }
  if (!text.includes("-----BEGIN ")) throw new ToolgateError(`The TLS ${what} in ${file} is not a PEM file.`);
  return text;
}

function readOAuth(oauth: ServerSettings["oauth"]): OAuthSettings | undefined {
  if (oauth === undefined) return undefined;
  if ((oauth.jwksUrl === undefined) === (oauth.jwksFile === undefined))
    throw new ToolgateError(
      "server.oauth needs jwks_url or jwks_file, one of them: where the issuer's public keys are.",
    );
  return {
    ...oauth,
    scopes: oauth.scopes ?? defaultScopes,
    callerClaim: oauth.callerClaim ?? oauth.principalClaim ?? "sub",
    capabilities: oauth.capabilities ?? ["*"],
    allowPrivate: oauth.allowPrivate ?? false,
  };
}
