import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { defaultScopes } from "../../src/surfaces/http/tokens/oauth-settings.ts";
import type { Problem } from "../../src/surfaces/rest/contract.ts";
import { useSignInWorld } from "../unit/surfaces/rest/routes/sign-in-world.ts";

const world = await useSignInWorld();

/** Without the characters that each login has of its own. */
const personOf = (caller: string) => caller.replace(/:\w{6}$/, "");

describe("claims that a person can choose", () => {
  it("make nobody the namesake of another person", async () => {
    await world.start();
    const people = [
      { email: "ada_b@example.com", sub: "1" },
      { email: "ada b@example.com", sub: "2" },
      { email: "ada\u202Eb@example.com", sub: "3" },
      { email: `${"a".repeat(64)}@example.com`, sub: "4" },
      { email: `${"a".repeat(64)}@evil.example`, sub: "5" },
      { email: "Åda@example.com", sub: "6" },
      { email: "Äda@example.com", sub: "7" },
    ];
    const names: string[] = [];
    for (const claims of people) names.push(personOf((await world.signIn({ claims })).body.caller));
    expect(new Set(names).size).toBe(people.length);
    expect(names[0]).toBe("console:ada_b@example.com");
    // The same person is called the same the next time.
    expect(personOf((await world.signIn({ claims: people[1] ?? {} })).body.caller)).toBe(names[1]);
  });

  const unchecked = [undefined, false, "false", "no", 0, null, ["true"]];
  it.each(unchecked)("are no address where the issuer says %j about having checked it", async (said) => {
    const claims = { email_verified: said };
    await world.start();
    expect((await world.signIn<Problem>({ claims })).body).toMatchObject({ code: "sign_in_refused" });
    // Nor does such an address give the rights that are listed for it.
    const values = { "ada@example.com": ["admin"] };
    await world.start({ callerClaim: "sub", rights: { by: "claim", claim: "email", values } });
    expect((await world.signIn<Problem>({ claims })).body).toMatchObject({ code: "sign_in_refused" });
    expect(await world.given()).toBe(0);
    expect((await world.signIn({ claims: { email_verified: "true" } })).body.rights).toEqual(["admin"]);
  });

  it.each([7, "", " ", {}, ["u-1"], true])("are no subject if it is %j", async (sub) => {
    await world.start();
    expect((await world.signIn<Problem>({ claims: { sub } })).body).toMatchObject({
      code: "sign_in_refused",
    });
  });
});

describe("an ID token that brings its own key", () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  it("lets nobody in: neither by the public key as a secret, nor by a key or an address in its header", async () => {
    await world.start();
    const published = (await (await fetch(world.issuer.jwksUrl)).json()) as { keys: [JsonWebKey] };
    const [jwk] = published.keys;
    const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
    const secrets = [pem, JSON.stringify(jwk), JSON.stringify(published), ""];
    const bySecret = secrets.map((secret) => (token: string) => {
      const signed = `${part({ alg: "HS256", kid: "one" })}.${token.split(".")[1]}`;
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    });
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const ownJwk = own.publicKey.export({ format: "jwk" });
    const heads = [
      { jwk: ownJwk },
      { jku: "https://evil.example/jwks" },
      { kid: "../one" },
      { crit: ["x"], x: 1 },
    ];
    const byHead = heads.map((head) => (token: string) => {
      const signed = `${part({ alg: "ES256", kid: "one", ...head })}.${token.split(".")[1]}`;
      const key = { key: own.privateKey, dsaEncoding: "ieee-p1363" } as const;
      return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
    });
    for (const idToken of [...bySecret, ...byHead])
      expect((await world.signIn<Problem>({ idToken })).body).toMatchObject({ code: "sign_in_refused" });
    expect(await world.given()).toBe(0);
  });
});

it("a person who changes the address on the way to the issuer gets no right by a scope that the console did not ask for", async () => {
  await world.start({
    askedScopes: ["openid", "toolgate:read"],
    rights: { by: "scope", scopes: defaultScopes },
  });
  const script = { scope: "openid toolgate:read toolgate:admin", claims: { scope: "toolgate:approve" } };
  expect((await world.signIn(script)).body.rights).toEqual(["read"]);
});

describe("sign-ins without end", () => {
  it("of strangers leave nothing behind: what found no place is not used up", async () => {
    await world.start();
    const origin = world.server.url;
    const signIn = world.signInWith(world.server.parts.store.tokens);
    const signal = AbortSignal.timeout(30_000);
    const begin = async () => {
      const begun = await signIn.begin(origin);
      if (!begun.ok) throw new Error(begun.message);
      const state = new URL(begun.url).searchParams.get("state") ?? "";
      return { code: "guess", state, tab: begun.tab, origin, signal };
    };
    let last = await begin();
    let why = "";
    for (let count = 0; count < 100 && why !== "busy"; count++) {
      last = await begin();
      why = whyOf(await signIn.finish(last));
    }
    expect(why).toBe("busy");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const asked = world.issuer.asked.get("/token") ?? 0;
    expect(whyOf(await signIn.finish(last))).toBe("old");
    expect(world.issuer.asked.get("/token")).toBe(asked + 1);
  });

  it("of one person end their first tokens, and those of nobody else", async () => {
    await world.start();
    const other = await world.signIn({ claims: { email: "ada@example.co" } });
    const first = await world.signIn();
    for (let count = 0; count < 19; count++) expect((await world.signIn()).status).toBe(200);
    const me = (token: string) => world.api.get("/api/me", { token });
    expect((await me(first.body.token)).status).toBe(200);
    const last = await world.signIn();
    expect((await me(first.body.token)).status).toBe(401);
    for (const { body } of [last, other]) expect((await me(body.token)).status).toBe(200);
    expect(await world.given()).toBe(21);
  });
});

function whyOf(end: { readonly ok: boolean; readonly why?: string }): string {
  return end.why ?? "none";
}

it("a console that is opened over the open net sends nobody to the issuer, who would send the code back over it", async () => {
  await world.start();
  const signIn = world.signInWith(world.server.parts.store.tokens);
  for (const origin of ["http://gate.example.com", "http://10.0.0.7:4655", "null"])
    expect(await signIn.begin(origin), origin).toMatchObject({ ok: false, why: "refused" });
  expect(await signIn.begin("https://gate.example.com")).toMatchObject({ ok: true });
});
