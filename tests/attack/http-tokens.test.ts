/** Every route with every way of not being allowed: the list of routes is the server's own, so a new route cannot be forgotten. */
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { type Right, rights } from "../../src/surfaces/http/rights.ts";
import type { AnyRoute } from "../../src/surfaces/http/route.ts";
import { giveToken, revokeTokens } from "../../src/surfaces/http/tokens/give-token.ts";
import { createTokenCheck } from "../../src/surfaces/http/tokens/token-check.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { ask } from "../raw-http.ts";
import { write } from "../tools.ts";

const guarded = allRoutes.filter(({ right }) => right !== "public");
const named = (routes: readonly AnyRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);
const pathOf = ({ path }: AnyRoute) => path.replace(/:\w+/g, "anything");

function sent({ body }: AnyRoute): { readonly body?: string; readonly headers: Record<string, string> } {
  return body === undefined
    ? { headers: {} }
    : { body: "{}", headers: { "content-type": "application/json" } };
}

/** Rights that are of no use for this route. */
function otherRights({ right }: AnyRoute): Right[] {
  const enough = typeof right === "string" ? [right] : right;
  return rights.filter((one) => !enough.includes(one));
}

describe("every route", () => {
  let folder: string;
  let server: TestServer;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-tokens-"));
    const give = async (name: string, held: readonly Right[], expiresInMs?: number) => {
      tokens[name] = (await giveToken(createFileTokens(folder), { name, rights: held, expiresInMs })).token;
    };
    await give("good", rights);
    await give("expired", rights, -1);
    await give("revoked", rights);
    const others = (right: Right) => rights.filter((one) => one !== right);
    for (const right of rights) await give(`without-${right}`, others(right));
    for (const right of rights) await give(`only-${right}`, [right]);
    await revokeTokens(createFileTokens(folder), ["revoked"]);
    server = await startTestServer({
      routes: allRoutes,
      tokens: createTokenCheck({ tokens: createFileTokens(folder) }),
      limits: { maxPerMinute: 100_000 },
    });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });
  const knock = (route: AnyRoute, headers: Record<string, string | string[]>, query = "") => {
    const { body, headers: own } = sent(route);
    return ask(`${server.url}${pathOf(route)}${query}`, {
      method: route.method,
      headers: { ...own, ...headers },
      ...(body !== undefined && { body }),
    });
  };
  const expectRefused = (
    answer: Awaited<ReturnType<typeof ask>>,
    status: number,
    code: string,
    why: string,
  ) => {
    expect(answer.status, why).toBe(status);
    expect(answer.headers["content-type"], why).toBe("application/problem+json");
    expect(JSON.parse(answer.text), why).toMatchObject({ status, code });
  };

  it("is on the list, and only health, what describes the server and ways to come in are open to everybody", () => {
    expect(guarded.length).toBeGreaterThan(20);
    const open = allRoutes.filter(({ right }) => right === "public").map(({ path }) => path);
    for (const path of open)
      expect(path).toMatch(
        /^\/(?:api\/(?:health\/|openapi\.json|console\/(?:login|sign-in|sign-in\/finish)$)|\.well-known\/)/,
      );
  });

  it.each(named(guarded))("%s refuses everything that is no token", async (_name, route) => {
    const good = tokens.good as string;
    const attempts: [string, Record<string, string | string[]>][] = [
      ["no token", {}],
      ["an empty token", { authorization: "Bearer " }],
      ["an empty header", { authorization: "" }],
      ["a token that nobody has", { authorization: `Bearer tgk_${"A".repeat(43)}` }],
      ["one letter off", { authorization: `Bearer ${good.slice(0, -1)}${good.endsWith("A") ? "E" : "A"}` }],
      ["a part of the token", { authorization: `Bearer ${good.slice(0, 20)}` }],
      ["the token and more", { authorization: `Bearer ${good}x` }],
      ["two tokens in one header", { authorization: `Bearer ${good}, Bearer ${good}` }],
      ["another scheme", { authorization: `Basic ${Buffer.from(`owner:${good}`).toString("base64")}` }],
      ["no scheme", { authorization: good }],
      ["an expired token", { authorization: `Bearer ${tokens.expired}` }],
      ["a revoked token", { authorization: `Bearer ${tokens.revoked}` }],
      ["the hash of a token", { authorization: `Bearer ${hashIn(folder, "good")}` }],
      ["a name", { authorization: "Bearer good" }],
      ["an unsigned JWT", { authorization: `Bearer ${jwt({ alg: "none" }, "")}` }],
      ["a JWT signed with nothing", { authorization: `Bearer ${jwt({ alg: "HS256" }, sign(""))}` }],
      ["a cookie", { cookie: `token=${good}; access_token=${good}` }],
      ["another header", { "x-api-key": good, "proxy-authorization": `Bearer ${good}` }],
    ];
    for (const [why, headers] of attempts)
      expectRefused(await knock(route, headers), 401, "unauthorized", why);
  });

  it.each(named(guarded))("%s does not look for a token in the address", async (_name, route) => {
    for (const name of ["token", "access_token", "authorization", "bearer"])
      expectRefused(await knock(route, {}, `?${name}=${tokens.good}`), 401, "unauthorized", name);
    const both = await knock(route, bearer(tokens.good), `?access_token=${tokens.good}`);
    expectRefused(both, 400, "bad_request", "with a good token besides");
    expect(both.text).not.toContain(tokens.good);
  });

  it.each(named(guarded))("%s refuses tokens that lack its right", async (_name, route) => {
    for (const right of otherRights(route))
      expectRefused(await knock(route, bearer(tokens[`only-${right}`])), 403, "forbidden", right);
    if (typeof route.right === "string")
      expectRefused(
        await knock(route, bearer(tokens[`without-${route.right}`])),
        403,
        "forbidden",
        "all others",
      );
  });

  it.each(named(guarded))("%s refuses a second Authorization header", async (_name, route) => {
    const authorization = [`Bearer ${tokens.good}`, "Bearer other"];
    expectRefused(await knock(route, { authorization }), 400, "bad_request", "twice");
  });

  it("refuses everybody while the list of tokens cannot be read, and again takes them when it can", async () => {
    const text = readFileSync(join(folder, "tokens.json"), "utf8");
    const headers = { authorization: `Bearer ${tokens.good}` };
    const status = async () => (await ask(`${server.url}/api/tools`, { headers })).status;
    expect(await status()).toBe(200);
    for (const broken of ["", "{", '{"tokens":{}}', text.replace(/"call"/, '"root"')]) {
      writeFileSync(join(folder, "tokens.json"), broken);
      expect(await status(), broken.slice(0, 20)).toBe(401);
    }
    writeFileSync(join(folder, "tokens.json"), text);
    expect(await status()).toBe(200);
  });

  it("takes no command: no field of a route's schema names one", () => {
    const names: string[] = [];
    const walk = (part: unknown, path: string): void => {
      if (typeof part !== "object" || part === null) return;
      for (const [key, member] of Object.entries(part)) {
        if (key === "properties")
          for (const name of Object.keys(member as object)) names.push(`${path} ${name}`);
        walk(member, path);
      }
    };
    for (const route of allRoutes) {
      walk(route.body, `${route.method} ${route.path} body`);
      walk(route.query, `${route.method} ${route.path} query`);
    }
    expect(names.length).toBeGreaterThan(10);
    expect(
      names.filter((name) => / (?:commands?|cmd|argv|args|env|exec|shell|handler|program)$/i.test(name)),
    ).toEqual([]);
  });
});

it("a caller cannot approve its own call, whatever rights its token has", async () => {
  await using server = await startTestServer({
    routes: allRoutes,
    gate: { tools: [write], enable: { enableAll: true } },
  });
  const headers = (token: string) => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  });
  const calling = ask(`${server.url}/api/tools/notes.write/call`, {
    method: "POST",
    headers: headers("token-call-approve"),
    body: '{"input":{"path":"a"}}',
  });
  const { approvals } = server.parts.gate;
  await expect.poll(async () => (await approvals.pending()).length).toBe(1);
  const [{ id } = { id: "" }] = await approvals.pending();
  const answer = (token: string) =>
    ask(`${server.url}/api/approvals/${id}/answer`, {
      method: "POST",
      headers: headers(token),
      body: '{"decision":"approve"}',
    });
  expect((await answer("token-call")).status).toBe(403);
  const own = await answer("token-call-approve");
  expect(own.status).toBeGreaterThanOrEqual(400);
  expect((await answer("token-approve")).status).toBe(200);
  expect(JSON.parse((await calling).text)).toMatchObject({ ok: true });
});

function hashIn(folder: string, name: string): string {
  const { tokens } = JSON.parse(readFileSync(join(folder, "tokens.json"), "utf8")) as {
    tokens: { name: string; sha256: string }[];
  };
  return tokens.find((one) => one.name === name)?.sha256 ?? "";
}

const claims = Buffer.from(
  JSON.stringify({ sub: "owner", scope: "toolgate:admin", exp: 9_999_999_999 }),
).toString("base64url");

function sign(secret: string): string {
  return createHmac("sha256", secret).update(claims).digest("base64url");
}

function jwt(header: object, signature: string): string {
  return `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${claims}.${signature}`;
}
