import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJwtCheck, looksLikeJwt } from "../../../../../src/surfaces/http/tokens/jwt-check.ts";
import { createKeySource, type KeySource } from "../../../../../src/surfaces/http/tokens/key-source.ts";
import { defaultScopes, type OAuthSettings } from "../../../../../src/surfaces/http/tokens/oauth-settings.ts";

const issuer = "https://login.example.com/";
const audience = "https://gate.example.com";
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer's address with what it publishes. */
async function serve(answer: (outgoing: ServerResponse) => void) {
  const server = createServer((_incoming, outgoing) => answer(outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  return { jwksUrl, close: () => server.close() };
}

describe("the tokens of an identity provider", () => {
  let keys: Keys;
  let others: Keys;
  let settings: OAuthSettings;
  let source: KeySource;
  let asked = 0;
  let provider: Awaited<ReturnType<typeof serve>>;
  let published: object[] = [];

  beforeAll(async () => {
    keys = await generateKeyPair("ES256", { extractable: true });
    others = await generateKeyPair("ES256", { extractable: true });
    published = [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256" }];
    provider = await serve((outgoing) => {
      asked++;
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify({ keys: published }));
    });
    const { jwksUrl } = provider;
    const caller = { callerClaim: "sub", capabilities: ["fs:read"] };
    settings = { issuer, audience, jwksUrl, scopes: defaultScopes, ...caller, allowPrivate: true };
    source = createKeySource(settings);
  });
  afterAll(() => provider.close());

  const token = (
    claims: Record<string, unknown> = {},
    { key = keys.privateKey, header = {} }: { key?: Keys["privateKey"]; header?: object } = {},
  ) => {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({
      iss: issuer,
      aud: audience,
      sub: "alice",
      scope: "openid toolgate:call toolgate:read",
      iat: now,
      exp: now + 300,
      ...claims,
    })
      .setProtectedHeader({ alg: "ES256", kid: "one", ...header })
      .sign(key);
  };
  const find = async (text: string) => createJwtCheck(settings, source).find(text);

  it("name the caller with a prefix of their own, and give the rights of their scopes", async () => {
    const found = await find(await token());
    expect(found?.caller).toEqual({ id: "oauth:alice", capabilities: ["fs:read"], rights: ["call", "read"] });
    expect([...(found?.rights ?? [])].sort()).toEqual(["call", "read"]);
    const list = await find(await token({ scope: undefined, scp: ["toolgate:approve"] }));
    expect([...(list?.rights ?? [])]).toEqual(["approve"]);
  });

  it("give no rights by scopes that nobody mapped", async () => {
    const found = await find(await token({ scope: "admin call constructor __proto__ toString" }));
    expect(found?.rights.size).toBe(0);
  });

  it.for([
    { aud: "https://other.example.com" },
    { aud: undefined },
    { iss: "https://evil.example/" },
    { iss: "https://login.example.com" },
    { exp: -60 },
    { exp: undefined },
    { nbf: 120 },
    { sub: undefined },
    { sub: "" },
    { sub: 7 },
  ])(
    "are refused when they are for somebody else, of somebody else, too old, too new or nobody's: %o",
    async (claims) => {
      const now = Math.floor(Date.now() / 1_000);
      const times = { ...("nbf" in claims && { nbf: now + 120 }), ...(claims.exp && { exp: now - 60 }) };
      expect(await find(await token({ ...claims, ...times }))).toBeUndefined();
    },
  );

  it("are refused when nobody can read who it is, or when the issuer says that nobody checked it", async () => {
    for (const sub of ["ada\nadmin", "ada\u202Enimda", "ada\u0000", "\u200Bada", "x".repeat(201)])
      expect(await find(await token({ sub })), JSON.stringify(sub)).toBeUndefined();
    const byEmail = createJwtCheck({ ...settings, callerClaim: "email" }, source);
    const found = async (email_verified: unknown) =>
      (await byEmail.find(await token({ email: "ada@example.com", email_verified })))?.caller.id;
    for (const said of [false, "false", null, 1]) expect(await found(said)).toBeUndefined();
    for (const said of [true, "true", undefined]) expect(await found(said)).toBe("oauth:ada@example.com");
  });

  it("are checked with newer keys also when the clock is set back", async () => {
    let time = Date.now();
    const keysAt = createKeySource(settings, () => time);
    await keysAt.current();
    const before = asked;
    time -= 86_400_000;
    await keysAt.current();
    expect(asked).toBe(before + 1);
    await keysAt.current();
    expect(asked).toBe(before + 1);
  });

  it("are refused without a signature of the issuer", async () => {
    const good = await token();
    const [head = "", claims = "", signature = ""] = good.split(".");
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const symmetric = await new SignJWT({ iss: issuer, aud: audience, sub: "alice", exp: 9_999_999_999 })
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(Buffer.from(JSON.stringify(published[0])));
    for (const text of [
      await token({}, { key: others.privateKey }),
      `${unsigned}.${claims}.`,
      `${unsigned}.${claims}.${signature}`,
      `${head}.${claims}.${"A".repeat(signature.length)}`,
      `${head}.${Buffer.from('{"sub":"root"}').toString("base64url")}.${signature}`,
      symmetric,
      "eyJ.eyJ.x",
    ])
      expect(await find(text), text.slice(0, 40)).toBeUndefined();
  });

  it("are checked with keys that are fetched once, and again for a new key, but not for every made-up one", async () => {
    let now = Date.now();
    const fresh = createKeySource(settings, () => now);
    const check = createJwtCheck(settings, fresh);
    asked = 0;
    expect(await check.find(await token())).toBeDefined();
    expect(await check.find(await token())).toBeDefined();
    expect(asked).toBe(1);
    const newer = await token({}, { key: others.privateKey, header: { kid: "two" } });
    for (let count = 0; count < 5; count++) expect(await check.find(newer)).toBeUndefined();
    expect(asked).toBe(1);
    published = [...published, { ...(await exportJWK(others.publicKey)), kid: "two", alg: "ES256" }];
    now += 31_000;
    expect(await check.find(newer)).toBeDefined();
    expect(asked).toBe(2);
  });

  it("are refused while the issuer cannot be reached", async () => {
    const gone = createKeySource({ ...settings, jwksUrl: "http://127.0.0.1:9/jwks" });
    expect(await createJwtCheck(settings, gone).find(await token())).toBeUndefined();
    const inside = createKeySource({ ...settings, allowPrivate: false });
    expect(await createJwtCheck(settings, inside).find(await token())).toBeUndefined();
  });

  it("make us ask an issuer that fails at most twice a minute, however many come", async () => {
    let now = Date.now();
    let tries = 0;
    const failing = await serve((outgoing) => {
      tries++;
      outgoing.writeHead(500).end();
    });
    const fresh = createKeySource({ ...settings, jwksUrl: failing.jwksUrl }, () => now);
    const check = createJwtCheck(settings, fresh);
    for (let second = 0; second < 60; second++) {
      await Promise.all([check.find(await token()), check.find(await token({}, { header: { kid: "x" } }))]);
      now += 1_000;
    }
    expect(tries).toBe(2);
    failing.close();
  });

  it("are not taken by keys whose time is over, whether or not the issuer answers", async () => {
    let now = Date.now();
    let works = true;
    const { jwksUrl, close } = await serve((outgoing) =>
      outgoing.writeHead(works ? 200 : 503).end(JSON.stringify({ keys: published })),
    );
    const fresh = createKeySource({ ...settings, jwksUrl }, () => now);
    const check = createJwtCheck(settings, fresh);
    expect(await check.find(await token())).toBeDefined();
    works = false;
    now += 50 * 60_000;
    expect(await check.find(await token())).toBeDefined();
    now += 11 * 60_000;
    expect(await check.find(await token())).toBeUndefined();
    works = true;
    now += 31_000;
    expect(await check.find(await token())).toBeDefined();
    close();
  });

  it("are told from our own by their form", async () => {
    expect(looksLikeJwt(await token())).toBe(true);
    expect(looksLikeJwt("tgk_abc")).toBe(false);
    expect(looksLikeJwt("eyJ.a.b.c")).toBe(false);
  });
});
