import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ServerSettings } from "../../../../src/config/settings/server-settings.ts";
import { chooseServer } from "../../../../src/surfaces/serve/server-settings.ts";

type OAuth = NonNullable<ServerSettings["oauth"]>;

const folder = mkdtempSync(join(tmpdir(), "toolgate-sign-in-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const oauth: OAuth = { issuer: "https://login.example.com/", audience: "https://g.example", jwksFile: "/k" };
const choose = (console: OAuth["console"], more: Partial<OAuth> = {}, env: Record<string, string> = {}) =>
  chooseServer({}, { oauth: { ...oauth, ...more, ...(console && { console }) } }, env).signIn;

describe("the settings of signing in to the console", () => {
  it("are there only where somebody wrote them, and where there is a console", () => {
    expect(choose(undefined)).toBeUndefined();
    expect(choose({ clientId: "c" })).toBeDefined();
    const off = { console: "off", oauth: { ...oauth, console: { clientId: "c" } } } as const;
    expect(chooseServer({}, off).signIn).toBeUndefined();
  });

  it("ask for the scopes that give rights, or for those that are listed", () => {
    expect(choose({ clientId: "c" }, { scopes: { "gate.read": "read" } })).toMatchObject({
      askedScopes: ["openid", "gate.read"],
      rights: { by: "scope", scopes: { "gate.read": "read" } },
      callerClaim: "sub",
    });
    expect(
      choose({ clientId: "c", scopes: ["openid", "email"], callerClaim: "email", rights: { a: ["read"] } }),
    ).toMatchObject({
      askedScopes: ["openid", "email"],
      rights: { by: "claim", claim: "groups", values: { a: ["read"] } },
      callerClaim: "email",
    });
    expect(choose({ clientId: "c", rights: { a: ["read"] } })?.askedScopes).toEqual(["openid"]);
  });

  it("read the secret whenever it is needed, from a variable or a file, without the end of its line", () => {
    const env = { SECRET: "one" };
    const bySecret = choose({ clientId: "c", clientSecretEnv: "SECRET" }, {}, env);
    expect(bySecret?.clientSecret?.()).toBe("one");
    env.SECRET = "two";
    expect(bySecret?.clientSecret?.()).toBe("two");
    const file = join(folder, "secret");
    writeFileSync(file, "three\n");
    expect(choose({ clientId: "c", clientSecretFile: file })?.clientSecret?.()).toBe("three");
  });

  const wrong: readonly (readonly [string, OAuth["console"], Partial<OAuth>, string])[] = [
    ["an issuer over the open net", { clientId: "c" }, { issuer: "http://login.example.com" }, "https://"],
    ["a redirect over the open net", { clientId: "c", redirectUrl: "http://x/login" }, {}, "redirect_url"],
    ["two scopes in one", { clientId: "c", scopes: ["a b"] }, {}, "not a scope"],
    ["a variable that is not set", { clientId: "c", clientSecretEnv: "NONE" }, {}, "NONE is not set"],
    ["a file that is not there", { clientId: "c", clientSecretFile: "/none/x" }, {}, "no such file"],
    ["a file nobody knows where", { clientId: "c", clientSecretFile: "x" }, {}, "absolute"],
    ["two secrets", { clientId: "c", clientSecretFile: "/x", clientSecretEnv: "X" }, {}, "not both"],
  ];
  it.each(wrong)("refuse %s, and say what to change", (_what, console, more, message) => {
    expect(() => choose(console, more)).toThrow(message);
    expect(() => choose(console, more)).toThrow("server.oauth.console");
  });

  it("refuse keys over the open net: whoever changes them on the way could sign in as anybody", () => {
    const { jwksFile: _, ...others } = oauth;
    const by = (jwksUrl: string) =>
      chooseServer({}, { oauth: { ...others, jwksUrl, console: { clientId: "c" } } }).signIn;
    expect(() => by("http://login.example.com/jwks")).toThrow("server.oauth.jwks_url");
    expect(by("https://login.example.com/jwks")).toBeDefined();
  });

  it("take an issuer on this machine over http", () => {
    expect(choose({ clientId: "c" }, { issuer: "http://127.0.0.1:9000" })).toBeDefined();
    expect(choose({ clientId: "c" }, { issuer: "http://[::1]:9000" })).toBeDefined();
  });
});
