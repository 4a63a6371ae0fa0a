import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rights } from "../../../../../src/surfaces/http/rights.ts";
import { consoleRights } from "../../../../../src/surfaces/http/tokens/console-login.ts";
import { makeLoginCode } from "../../../../../src/surfaces/http/tokens/login-codes.ts";
import type { Login, Me } from "../../../../../src/surfaces/rest/contract.ts";
import { ask } from "../../../../raw-http.ts";
import { useServer } from "../../http/api.ts";

describe("the console's login", () => {
  const { server, api } = useServer();
  afterEach(() => vi.useRealTimers());

  const code = (held = consoleRights, now = Date.now()) =>
    makeLoginCode(server.stateFolder, { rights: held, by: "ada" }, now).code;
  const login = (given: string) => api.post<Login>("/api/console/login", { code: given });

  it("exchanges a code for a token with a name of its own, and says who let it in", async () => {
    const before = Date.now();
    const { status, body } = await login(code());
    expect(status).toBe(200);
    const caller = expect.stringMatching(/^console:\w{6}$/);
    expect(body).toMatchObject({ caller, rights: ["read", "approve"] });
    expect(body.expiresAt - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
    const me = await api.get<Me>("/api/me", { token: body.token });
    expect(me.body).toMatchObject({ caller: body.caller, rights: body.rights, expiresAt: body.expiresAt });
    expect(me.body.time).toBeGreaterThanOrEqual(before);
    expect(me.body.time).toBeLessThanOrEqual(Date.now());
    expect((await api.post("/api/tools/reload", {}, { token: body.token })).status).toBe(403);
    const { entries } = await server.parts.store.ledger.query({ kinds: ["note"], caller: body.caller });
    expect(entries[0]?.body).toMatchObject({ code: "token_created", about: { name: body.caller } });
    expect(entries[0]?.body.message).toContain("ada opens the console");
  });

  it("gives every right to a code that was made so", async () => {
    expect((await login(code(rights))).body.rights).toEqual(rights);
  });

  it("says of a code whether it was used, is too old, or was never made", async () => {
    const once = code();
    expect((await login(once)).status).toBe(200);
    expect((await login(once)).body).toMatchObject({ status: 410, code: "login_code_used" });
    const old = code(consoleRights, Date.now() - 60_001);
    expect((await login(old)).body).toMatchObject({ status: 410, code: "login_code_expired" });
    expect((await login("never-was-one-of-ours-x")).body).toMatchObject({ code: "login_code_unknown" });
  });

  it("lets in one of many who come with the same code at once", async () => {
    const shared = code();
    const all = await Promise.all(Array.from({ length: 5 }, () => login(shared)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("keeps neither code nor token, but their hashes", async () => {
    const shown = code();
    const { body } = await login(shown);
    const kept = readdirSync(server.stateFolder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => `${one.name}\n${readFileSync(join(one.parentPath, one.name), "latin1")}`)
      .join("\n");
    expect(kept).toContain(body.caller);
    expect(kept).not.toContain(shown);
    expect(kept).not.toContain(body.token);
  });

  it("forgets tokens of earlier logins that have expired", async () => {
    const { body } = await login(code());
    await server.parts.store.tokens.change((tokens) => ({
      tokens: tokens.map((one) =>
        one.name === body.caller ? { ...one, expiresAt: new Date(0).toISOString() } : one,
      ),
      result: undefined,
    }));
    expect((await api.get("/api/me", { token: body.token })).status).toBe(401);
    await login(code());
    const { tokens } = await server.parts.store.tokens.list();
    expect(tokens.some(({ name }) => name === body.caller)).toBe(false);
  });

  it("ends at once when the token is revoked", async () => {
    const { body } = await login(code());
    await server.parts.store.tokens.change((tokens) => ({
      tokens: tokens.filter(({ name }) => name !== body.caller),
      result: undefined,
    }));
    expect((await api.get("/api/me", { token: body.token })).status).toBe(401);
  });

  it("is not for pages of other origins, nor under other names of the host, and takes no long body", async () => {
    const given = code();
    const url = `${server.url}/api/console/login`;
    const send = (headers: Record<string, string>, body = JSON.stringify({ code: given })) =>
      ask(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
    expect((await send({ origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ host: "evil.example" })).status).toBe(403);
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ "content-type": "text/plain" })).status).toBe(415);
    expect((await send({}, JSON.stringify({ code: "x".repeat(2_000) }))).status).toBe(413);
    expect((await send({ origin: server.url })).status).toBe(200);
  });

  it("makes nothing of what a code says but a hash", async () => {
    for (const given of ["../../tokens.json", "..%2f..%2ftoken", "a/b", "\u0000", ".".repeat(99)])
      expect((await login(given)).body).toMatchObject({
        code: expect.stringMatching(/^login_code_unknown$|^too_many/),
      });
  });
});
