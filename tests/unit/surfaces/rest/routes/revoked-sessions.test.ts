import { expect, it, onTestFinished } from "vitest";
import type { GivenToken } from "../../../../../src/surfaces/rest/contract.ts";
import { testTokens } from "../../../../http-server.ts";
import { type SessionWorld, sessionWorld } from "./session-world.ts";

const write = { tool: "notes_write", input: { path: "a.txt", content: "x" }, toolUseId: "use-1" };

async function worldOf(options: Parameters<typeof sessionWorld>[1] = {}): Promise<SessionWorld> {
  const world = await sessionWorld(async ({ prompt, signal }, { calls }) => {
    if (prompt === "write") await calls.run({ ...write, signal });
    return `heard ${prompt}`;
  }, options);
  onTestFinished(() => world.close());
  return world;
}

it("ends the sessions of a token that is revoked, with their questions and messages, and no others", async () => {
  const world = await worldOf();
  const { api } = world;
  const given = await api.post<GivenToken>("/api/tokens", { name: "ci", rights: ["call"] });
  const { token } = given.body;
  const waiting = await world.start({ prompt: "write" }, token);
  const idle = await world.start({ prompt: "hello", mode: "plan" }, token);
  const others = await world.start({ prompt: "hello", mode: "plan" });
  await world.until(waiting, "waiting");
  await world.until(idle, "idle");
  await world.until(others, "idle");
  await api.post(`/api/sessions/${waiting}/messages`, { text: "and then" }, { token });
  expect((await api.get("/api/approvals")).body.approvals).toHaveLength(1);

  expect((await api.delete("/api/tokens/ci")).status).toBe(200);
  for (const id of [waiting, idle]) {
    await world.until(id, "ended");
    const { body } = await api.get(`/api/sessions/${id}`);
    expect(body).toMatchObject({ session: { state: "ended", end: "cancelled" }, prompts: [] });
    expect(body.items.at(-1)).toMatchObject({ kind: "cancelled", data: { by: "token-all" } });
  }
  expect((await api.get("/api/approvals")).body.approvals).toEqual([]);
  expect((await api.get(`/api/sessions/${others}`)).body.session.state).toBe("idle");
  // Nobody goes on with them but who may act on every session.
  const more = { text: "go on", resume: true };
  expect((await api.post(`/api/sessions/${idle}/messages`, more, { token })).status).toBe(401);
});

it("leaves no session behind that began in the moment in which its token was revoked", async () => {
  let left = 1;
  const tokens: typeof testTokens = {
    find: (token) => (token === "token-call" && left-- <= 0 ? undefined : testTokens.find(token)),
  };
  const { api, until } = await worldOf({ tokens });
  const { status, body } = await api.post("/api/sessions", { prompt: "write" }, { token: "token-call" });
  expect([status, body.detail]).toEqual([401, expect.stringContaining("revoked")]);
  const [session] = (await api.get("/api/sessions")).body.sessions;
  await until(session.id, "ended");
  expect((await api.get("/api/approvals")).body.approvals).toEqual([]);
});
