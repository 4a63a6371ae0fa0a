import { beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../http-server.ts";
import type { IssuerScript } from "../scripted-issuer.ts";
import { useSignInWorld } from "../unit/surfaces/rest/routes/sign-in-world.ts";

const world = await useSignInWorld();

describe("an ID token", () => {
  beforeAll(() => world.start());

  const now = () => Math.floor(Date.now() / 1_000);
  const cases: readonly (readonly [string, () => IssuerScript])[] = [
    ["with the nonce of another sign-in", () => ({ claims: { nonce: "another" } })],
    ["without a nonce", () => ({ claims: { nonce: undefined } })],
    ["for another client", () => ({ claims: { aud: "somebody-else" } })],
    ["for several clients without azp", () => ({ claims: { aud: [world.issuer.clientId, "other"] } })],
    ["that another client got", () => ({ claims: { aud: [world.issuer.clientId, "other"], azp: "other" } })],
    ["of another issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["without a subject", () => ({ claims: { sub: undefined } })],
    ["that never ends", () => ({ claims: { exp: undefined } })],
    ["of keys that nobody published", () => ({ wrongKey: true })],
    ["of an unknown key", () => ({ header: { kid: "two" }, wrongKey: true })],
    ["that is not signed at all", () => ({ idToken: unsigned })],
    ["that is none", () => ({ idToken: () => "eyJ.eyJ.x" })],
  ];
  it.each(cases)("%s lets nobody in", async (_what, script) => {
    const { body } = await world.signIn<Problem>(script());
    expect(body).toMatchObject({ status: 403, code: "sign_in_refused" });
    expect(await world.given()).toBe(0);
  });

  it("that is over, or of tomorrow, speaks of clocks", async () => {
    for (const claims of [{ exp: now() - 60 }, { nbf: now() + 3_600 }]) {
      const { body } = await world.signIn<Problem>({ claims });
      expect(body).toMatchObject({ code: "sign_in_refused", hint: expect.stringContaining("clock") });
    }
  });

  it("for several clients lets in the one that got it", async () => {
    const claims = { aud: [world.issuer.clientId, "other"], azp: world.issuer.clientId };
    expect((await world.signIn({ claims })).status).toBe(200);
  });
});

/** The same claims under `alg: none`. */
function unsigned(token: string): string {
  const head = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  return `${head}.${token.split(".")[1]}.`;
}

describe("a sign-in", () => {
  beforeAll(() => world.start());

  it("counts once, whatever the issuer would do", async () => {
    const { body } = await world.begin();
    const returned = { ...world.issuer.approve(body.url), tab: body.tab };
    expect((await world.finish(returned)).status).toBe(200);
    expect((await world.finish<Problem>(returned)).body).toMatchObject({ status: 410, code: "sign_in_old" });
    // With a fresh code, too: the state is used up.
    expect((await world.finish<Problem>({ ...returned, ...world.issuer.approve(body.url) })).status).toBe(
      410,
    );
  });

  it("lets in one of many who come with the same at once", async () => {
    const { body } = await world.begin();
    const returned = { ...world.issuer.approve(body.url), tab: body.tab };
    const all = await Promise.all(Array.from({ length: 5 }, () => world.finish(returned)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("with a code that the issuer has seen before begins anew", async () => {
    const first = (await world.begin()).body;
    const { code, state } = world.issuer.approve(first.url);
    expect((await world.finish({ code, state, tab: first.tab })).status).toBe(200);
    const second = (await world.begin()).body;
    const stateOfSecond = new URL(second.url).searchParams.get("state");
    const replayed = await world.finish<Problem>({ code, state: stateOfSecond, tab: second.tab });
    expect(replayed.body).toMatchObject({ status: 410, code: "sign_in_old" });
  });

  it("cannot be finished by a tab that did not begin it, nor with the code of another sign-in", async () => {
    const mine = (await world.begin()).body;
    const theirs = (await world.begin()).body;
    const stolen = world.issuer.approve(theirs.url);
    const other = await world.finish<Problem>({ ...stolen, tab: mine.tab });
    expect(other.body).toMatchObject({ status: 410, code: "sign_in_old" });
    const state = new URL(mine.url).searchParams.get("state");
    // PKCE: the code is bound to their verifier.
    expect((await world.finish<Problem>({ code: stolen.code, state, tab: mine.tab })).status).toBe(410);
  });

  it("is over after five minutes", async () => {
    const { body } = await world.begin();
    world.off = 5 * 60_000 + 1;
    const late = await world.finish<Problem>({ ...world.issuer.approve(body.url), tab: body.tab });
    expect(late.body).toMatchObject({ code: "sign_in_old", detail: expect.stringContaining("five minutes") });
  });

  it("takes no state that was changed, and no answer of another issuer", async () => {
    const { body } = await world.begin();
    const { code, state } = world.issuer.approve(body.url);
    const [id = "", until = "", seal = ""] = state.split(".");
    const longer = (Number.parseInt(until, 36) + 60_000).toString(36);
    for (const changed of [
      `${id}.${longer}.${seal}`,
      `${id}.${until}`,
      "x",
      `${id}.${until}.${"A".repeat(43)}`,
    ])
      expect((await world.finish<Problem>({ code, state: changed, tab: body.tab })).status, changed).toBe(
        410,
      );
    const mixedUp = await world.finish<Problem>({ code, state, tab: body.tab, iss: "https://evil.example" });
    expect(mixedUp.body).toMatchObject({ code: "sign_in_refused" });
  });

  it("goes on at another replica that has the same key", async () => {
    const { body } = await world.begin();
    await using other = await startTestServer({
      routes: allRoutes,
      signIn: (tokens) => world.signInWith(tokens),
    });
    const returned = { ...world.issuer.approve(body.url), tab: body.tab };
    const moved = world.signInWith(other.parts.store.tokens);
    const signal = AbortSignal.timeout(10_000);
    expect(await moved.finish({ ...returned, origin: world.server.url, signal })).toMatchObject({ ok: true });
  });

  it("is not for pages of other origins, nor for programs that are no page", async () => {
    const foreign = { headers: { origin: "https://evil.example" } };
    expect((await world.api.post("/api/console/sign-in", undefined, foreign)).status).toBe(403);
    expect((await world.api.post("/api/console/sign-in")).body).toMatchObject({ code: "sign_in_refused" });
  });
});

describe("an issuer", () => {
  it("that does not answer well is asked again after a while only", async () => {
    await world.start();
    world.issuer.follow({ discoveryStatus: 500 });
    const discoveries = () => world.issuer.asked.get("/.well-known/openid-configuration") ?? 0;
    const before = discoveries();
    for (let count = 0; count < 3; count++)
      expect((await world.begin()).body).toMatchObject({ status: 503, code: "issuer_away" });
    expect(discoveries() - before).toBe(1);
    world.issuer.follow({});
    world.off = 6_000;
    expect((await world.begin()).status).toBe(200);
  });

  it("that is another one, or sends people over the open net, is not used", async () => {
    await world.start();
    for (const discovery of [
      { issuer: "https://evil.example" },
      { authorization_endpoint: "http://login.example.com/authorize" },
      { authorization_endpoint: "javascript:alert(1)" },
      { token_endpoint: "http://10.0.0.1/token" },
      { token_endpoint: undefined },
    ]) {
      world.issuer.follow({ discovery });
      world.off += 6_000;
      expect((await world.begin()).body, JSON.stringify(discovery)).toMatchObject({ code: "issuer_away" });
    }
  });

  it("that sends too much, redirects, breaks off or talks nonsense lets nobody in", async () => {
    await world.start();
    const keysAsked = world.issuer.asked.get("/jwks");
    const answers: readonly NonNullable<IssuerScript["token"]>[] = [
      (outgoing) => outgoing.end(`{"id_token": "${"x".repeat(300 * 1024)}"}`),
      (outgoing) => outgoing.end(`{"id_token": "${"x".repeat(17 * 1024)}"}`),
      (outgoing) => outgoing.writeHead(302, { location: `${world.issuer.url}/jwks` }).end(),
      (outgoing) => outgoing.writeHead(500).end("<html>"),
      (outgoing) => outgoing.destroy(),
      (outgoing) => outgoing.end("not json"),
      (outgoing) => outgoing.end("[]"),
      (outgoing) => outgoing.end('{"id_token": 7}'),
    ];
    for (const [index, token] of answers.entries())
      expect((await world.signIn<Problem>({ token })).body, String(index)).toMatchObject({
        code: "issuer_away",
      });
    expect(world.issuer.asked.get("/jwks")).toBe(keysAsked);
  });

  it("that does not know the client says so, and gives nothing away", async () => {
    await world.start();
    const token: IssuerScript["token"] = (outgoing) =>
      outgoing.writeHead(401).end('{"error": "invalid_client", "error_description": "<b>secret</b>"}');
    const { body } = await world.signIn<Problem>({ token });
    expect(body).toMatchObject({
      code: "sign_in_refused",
      detail: expect.stringContaining("invalid_client"),
    });
    expect(JSON.stringify(body)).not.toContain("secret</b>");
  });

  it("is not flooded by strangers who begin and finish without end", async () => {
    await world.start();
    const outcomes: number[] = [];
    const before = world.issuer.asked.get("/token") ?? 0;
    for (let count = 0; count < 80; count++) {
      const { body } = await world.begin();
      const state = new URL(body.url).searchParams.get("state");
      outcomes.push((await world.finish({ code: "guess", state, tab: body.tab })).status);
    }
    expect(outcomes.slice(0, 60).every((status) => status === 410)).toBe(true);
    expect(outcomes).toContain(429);
    expect((world.issuer.asked.get("/token") ?? 0) - before).toBeLessThan(80);
  });
});
