/** An OpenID provider on loopback that signs real tokens, checks PKCE and its client, and lies where a test wants it to. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from "jose";

export interface IssuerScript {
  /** Beside or instead of the usual claims; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Partial<JWTHeaderParameters>;
  /** Signed by keys that nobody published. */
  readonly wrongKey?: boolean;
  /** What becomes of an ID token before it is sent. */
  readonly idToken?: (token: string) => unknown;
  /** Beside the ID token. */
  readonly scope?: string;
  readonly discovery?: Readonly<Record<string, unknown>>;
  /** Instead of the exchange. */
  readonly token?: (outgoing: ServerResponse) => void;
  readonly discoveryStatus?: number;
}

export interface ScriptedIssuer {
  readonly url: string;
  readonly jwksUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How often each path was asked for. */
  readonly asked: ReadonlyMap<string, number>;
  /** The last request to the token endpoint. */
  readonly exchange: { readonly authorization?: string; readonly form: URLSearchParams } | undefined;
  follow(script: IssuerScript): void;
  /** What the browser would bring back after the person said yes. */
  approve(url: string): { readonly code: string; readonly state: string };
  close(): void;
}

interface Asked {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUrl: string;
}

const clientId = "console-1";
const clientSecret = "s3cret: with/odd+characters";

export async function startScriptedIssuer(): Promise<ScriptedIssuer> {
  const keys = await generateKeyPair("ES256", { extractable: true });
  const others = await generateKeyPair("ES256", { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256" }] };
  const codes = new Map<string, Asked>();
  const asked = new Map<string, number>();
  let script: IssuerScript = {};
  let exchange: ScriptedIssuer["exchange"];
  let url = "";

  const approve = (address: string) => {
    const query = new URL(address).searchParams;
    const read = (name: string) => query.get(name) ?? "";
    if (read("response_type") !== "code" || read("client_id") !== clientId) throw new Error(address);
    if (read("code_challenge_method") !== "S256") throw new Error("There is no PKCE.");
    const code = randomBytes(9).toString("base64url");
    codes.set(code, {
      challenge: read("code_challenge"),
      nonce: read("nonce"),
      redirectUrl: read("redirect_uri"),
    });
    return { code, state: read("state") };
  };

  const idTokenFor = async ({ nonce }: Asked) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: url, aud: clientId, sub: "u-1", groups: ["approvers"] },
      ...{ email: "ada@example.com", email_verified: true, nonce, iat: now, exp: now + 300 },
      ...script.claims,
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: "one", ...script.header })
      .sign(script.wrongKey === true ? others.privateKey : keys.privateKey);
    return script.idToken?.(token) ?? token;
  };

  const answerToken = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const form = new URLSearchParams(await bodyOf(incoming));
    const { authorization } = incoming.headers;
    exchange = { form, ...(authorization !== undefined && { authorization }) };
    if (script.token !== undefined) return script.token(outgoing);
    const code = form.get("code") ?? "";
    const known = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (form.get("client_id") !== clientId || !isClient(authorization))
      return send(outgoing, 401, { error: "invalid_client" });
    if (known?.challenge !== challenge || known.redirectUrl !== form.get("redirect_uri"))
      return send(outgoing, 400, { error: "invalid_grant" });
    const { scope } = script;
    return send(outgoing, 200, {
      access_token: "not-used",
      token_type: "Bearer",
      ...(scope !== undefined && { scope }),
      id_token: await idTokenFor(known),
    });
  };

  const server = createServer((incoming, outgoing) => {
    const { pathname, search } = new URL(incoming.url ?? "/", url);
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    if (pathname === "/.well-known/openid-configuration")
      return send(outgoing, script.discoveryStatus ?? 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        ...script.discovery,
      });
    if (pathname === "/jwks") return send(outgoing, 200, jwks);
    if (pathname === "/token") return void answerToken(incoming, outgoing);
    const query = new URLSearchParams(search);
    const back = new URL(query.get("redirect_uri") ?? url);
    const state = query.get("state") ?? "";
    if (pathname === "/authorize") return sendPage(outgoing, search);
    if (pathname === "/yes") back.search = new URLSearchParams({ ...approve(`${url}/${search}`) }).toString();
    if (pathname === "/no") back.search = new URLSearchParams({ error: "access_denied", state }).toString();
    outgoing.writeHead(302, { location: back.href });
    outgoing.end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    jwksUrl: `${url}/jwks`,
    clientId,
    clientSecret,
    asked,
    get exchange() {
      return exchange;
    },
    follow: (next) => {
      script = next;
    },
    approve,
    close: () => void server.close().closeAllConnections(),
  };
}

function isClient(authorization: string | undefined): boolean {
  const [id = "", secret = ""] = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64")
    .toString()
    .split(":");
  const read = (text: string) => new URLSearchParams(`x=${text}`).get("x");
  return read(id) === clientId && read(secret) === clientSecret;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of incoming) text += chunk;
  return text;
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}

function sendPage(outgoing: ServerResponse, search: string): void {
  const query = search.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  outgoing.writeHead(200, { "content-type": "text/html" });
  outgoing.end(
    `<!doctype html><title>Issuer</title><a href="/yes${query}">Go on as Ada</a> <a href="/no${query}">Cancel</a>`,
  );
}
