import { describe, expect, it } from "vitest";
import type { GivenToken, Me, TokenList } from "../../../../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../../../../http-server.ts";
import { createApi, useServer } from "../../http/api.ts";

describe("tokens over REST", () => {
  const { server, api } = useServer();
  const names = async () => (await api.get<TokenList>("/api/tokens")).body.tokens.map(({ name }) => name);

  it("are given out once, work, are listed without themselves, and end at once when they are revoked", async () => {
    const body = { name: "ci", rights: ["call", "read"], expiresInMs: 60_000 };
    const given = await api.post<GivenToken>("/api/tokens", body);
    expect(given.status).toBe(201);
    expect(given.body).toMatchObject({ name: "ci", rights: ["call", "read"], expired: false });
    const me = await api.get<Me>("/api/me", { token: given.body.token });
    expect(me.body).toMatchObject({ caller: "ci", rights: ["call", "read"] });
    const list = await api.get<TokenList>("/api/tokens");
    expect(list.body.tokens).toMatchObject([{ name: "ci" }]);
    expect(JSON.stringify(list.body)).not.toMatch(/tgk_|sha256/);
    expect((await api.delete("/api/tokens/ci")).body).toEqual({ name: "ci", revoked: true });
    expect((await api.get("/api/me", { token: given.body.token })).status).toBe(401);
    expect((await api.delete("/api/tokens/ci")).status).toBe(404);
    const { entries } = await server.parts.store.ledger.query({ kinds: ["note"], caller: "token-all" });
    expect(entries.map(({ body: note }) => note.code)).toEqual(["token_revoked", "token_created"]);
  });

  it("carry no right that whoever gives them does not have", async () => {
    const admin = { token: "token-admin" };
    for (const rights of [["approve"], ["call"], ["admin", "approve"]])
      expect((await api.post("/api/tokens", { name: "more", rights }, admin)).status).toBe(403);
    expect((await api.post("/api/tokens", { name: "same", rights: ["admin"] }, admin)).status).toBe(201);
    expect(await names()).toEqual(["same"]);
  });

  it("of a token that ends do not outlive it for ever, least of all those that give out tokens themselves", async () => {
    const day = 86_400_000;
    const all = ["call", "read", "approve", "admin"];
    const { body } = await api.post<GivenToken>("/api/tokens", {
      name: "day",
      rights: all,
      expiresInMs: day,
    });
    const give = async (rights: readonly string[], expiresInMs?: number) =>
      (await api.post("/api/tokens", { name: "next", rights, expiresInMs }, { token: body.token })).status;
    expect(await give(["read"])).toBe(403);
    expect(await give(["read"], 31 * day)).toBe(403);
    expect(await give(["admin"], 2 * day)).toBe(403);
    expect(await give(["call", "read"], 30 * day)).toBe(201);
    await api.delete("/api/tokens/next");
    expect(await give(all, day / 2)).toBe(201);
    for (const name of ["next", "day"]) await api.delete(`/api/tokens/${name}`);
  });

  it("are a matter of the right admin, with names that nobody else has", async () => {
    for (const token of ["token-call", "token-read", "token-approve"]) {
      expect((await api.get("/api/tokens", { token })).status).toBe(403);
      expect((await api.post("/api/tokens", { name: "x", rights: ["read"] }, { token })).status).toBe(403);
      expect((await api.delete("/api/tokens/same", { token })).status).toBe(403);
    }
    for (const name of ["owner", "local", "console:abc", "a b", "../x", "x\r\ny"])
      expect((await api.post("/api/tokens", { name, rights: ["read"] })).status, name).toBe(422);
    expect((await api.post("/api/tokens", { name: "same", rights: ["read"] })).status).toBe(409);
    expect((await api.post("/api/tokens", { name: "y", rights: ["root"] })).status).toBe(422);
    expect((await api.post("/api/tokens", { name: "y", rights: [] })).status).toBe(422);
  });
});

describe("agents over REST", () => {
  it("are not looked for by a server that was not told to", async () => {
    await using server = await startTestServer({ routes: allRoutes });
    expect((await createApi(server).get("/api/agents", { token: "token-read" })).status).toBe(404);
  });
});
