import { beforeAll, describe, expect, it } from "vitest";
import { defaultScopes } from "../../../../../src/surfaces/http/tokens/oauth-settings.ts";
import type { LoginWays, Me, Problem } from "../../../../../src/surfaces/rest/contract.ts";
import { useSignInWorld } from "./sign-in-world.ts";

const world = await useSignInWorld();

describe("signing in with an identity provider", () => {
  beforeAll(() => world.start());

  it("tells strangers only with whom one signs in", async () => {
    expect((await world.api.get<LoginWays>("/api/console/login")).body).toEqual({
      oidc: { host: new URL(world.issuer.url).host },
    });
  });

  it("gives out a token of the console with the person's name and the rights of their groups", async () => {
    const { status, body } = await world.signIn();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      caller: expect.stringMatching(/^console:ada@example\.com:\w{6}$/),
      rights: ["read", "approve"],
    });
    expect(body.expiresAt - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    const me = await world.api.get<Me>("/api/me", { token: body.token });
    expect(me.body).toMatchObject({ caller: body.caller, rights: body.rights });
    const { tokens } = await world.server.parts.store.tokens.list();
    expect(tokens.find(({ name }) => name === body.caller)).toMatchObject({ capabilities: ["fs:read"] });
    const { entries } = await world.server.parts.store.ledger.query({ kinds: ["note"], caller: body.caller });
    expect(entries[0]?.body).toMatchObject({ code: "token_created", about: { subject: "u-1" } });
    await world.api.delete(`/api/tokens/${encodeURIComponent(body.caller)}`);
    expect((await world.api.get("/api/me", { token: body.token })).status).toBe(401);
  });

  it("asks for a code with PKCE, state and nonce, and shows its secret to the token endpoint alone", async () => {
    const { body } = await world.begin();
    const url = new URL(body.url);
    expect(url.origin + url.pathname).toBe(`${world.issuer.url}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      scope: "openid groups",
      redirect_uri: `${world.server.url}/login`,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(body.url).not.toContain(body.tab);
    const again = new URL((await world.begin()).body.url).searchParams;
    for (const name of ["state", "nonce", "code_challenge"])
      expect(again.get(name)).not.toBe(url.searchParams.get(name));
    await world.signIn();
    expect(world.issuer.exchange?.authorization).toMatch(/^Basic /);
    expect(world.issuer.exchange?.form.has("client_secret")).toBe(false);
  });

  it("lets nobody in whom no right is mapped to, and says who it is and what is missing", async () => {
    const before = await world.given();
    for (const groups of [["others"], ["__proto__", "constructor"], [], undefined, 7]) {
      const { body } = await world.signIn<Problem>({ claims: { groups } });
      expect(body, String(groups)).toMatchObject({ status: 403, code: "sign_in_refused" });
      expect(body.detail).toContain("ada@example.com");
      expect(body.hint).toContain("server.oauth.console.rights");
    }
    expect(await world.given()).toBe(before);
  });

  it("makes a name of what people can read and type, and of no address that nobody checked", async () => {
    const odd = await world.signIn({ claims: { email: "eve:\u202Eowner /..%" } });
    expect(odd.body.caller).toMatch(/^console:eve__owner__\.\._~[\da-f]{10}:\w{6}$/);
    await world.api.delete(`/api/tokens/${encodeURIComponent(odd.body.caller)}`);
    expect((await world.api.get("/api/me", { token: odd.body.token })).status).toBe(401);
    for (const claims of [{ email: "" }, { email: 7 }, { email: "x".repeat(201) }, { email_verified: false }])
      expect((await world.signIn<Problem>({ claims })).body).toMatchObject({ code: "sign_in_refused" });
  });
});

describe("a sign-in that is set up otherwise", () => {
  it("puts the secret into the body for issuers that take it no other way, and works for public clients", async () => {
    const token = (outgoing: { end(text: string): void }) => outgoing.end("{}");
    await world.start();
    await world.signIn<Problem>({
      discovery: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
      token,
    });
    expect(world.issuer.exchange?.form.get("client_secret")).toBe(world.issuer.clientSecret);
    expect(world.issuer.exchange?.authorization).toBeUndefined();
    await world.start({ clientSecret: undefined });
    await world.signIn<Problem>({ token });
    expect(world.issuer.exchange?.form.has("client_secret")).toBe(false);
    expect(world.issuer.exchange?.authorization).toBeUndefined();
  });

  it("takes rights from the scopes that the issuer says it granted, where no claim is named", async () => {
    const askedScopes = ["openid", ...Object.keys(defaultScopes)];
    await world.start({ askedScopes, rights: { by: "scope", scopes: defaultScopes } });
    const granted = await world.signIn({ scope: "openid toolgate:read toolgate:approve" });
    expect(granted.body.rights).toEqual(["read", "approve"]);
    expect((await world.signIn<Problem>({})).body).toMatchObject({ code: "sign_in_refused", status: 403 });
  });

  it("comes back to the configured address where one is configured", async () => {
    await world.start({ redirectUrl: "https://gate.example.com/toolgate/login" });
    const { body } = await world.begin();
    expect(new URL(body.url).searchParams.get("redirect_uri")).toBe(
      "https://gate.example.com/toolgate/login",
    );
    expect((await world.finish({ ...world.issuer.approve(body.url), tab: body.tab })).status).toBe(200);
  });

  it("is not there where it is not configured", async () => {
    await world.start({}, false);
    expect((await world.api.get("/api/console/login")).body).toEqual({});
    expect((await world.begin()).status).toBe(404);
    expect((await world.finish({ code: "x", state: "x", tab: "x" })).status).toBe(404);
  });
});
