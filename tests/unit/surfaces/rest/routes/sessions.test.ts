import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { GivenToken } from "../../../../../src/surfaces/rest/contract.ts";
import { sessionItemData } from "../../../../../src/surfaces/rest/schemas/session-items.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, testTokens } from "../../../../http-server.ts";
import { untilCancelled } from "../../../sessions/sessions-world.ts";
import { expectFit } from "../../http/api.ts";
import type { ReadEvent } from "../../http/read-events.ts";
import { isState, type SessionWorld, sessionWorld } from "./session-world.ts";

const own = { token: "token-call" };
const kindsOf = (events: readonly ReadEvent[]) =>
  events.map(({ kind, data }) => (kind === "session" ? `session ${data.state}` : kind));
const isDone = ({ kind }: ReadEvent) => kind === "completed";
const isDoneTwice = (event: ReadEvent) => isDone(event) && event.data.turn === 2;
const items = (events: readonly ReadEvent[]) => events.filter(({ data }) => data.seq !== undefined);

describe("sessions over HTTP", () => {
  let world: SessionWorld;
  beforeAll(async () => {
    world = await sessionWorld(async (turn, session) => {
      const { prompt, signal, log } = turn;
      if (prompt === "wait") return untilCancelled(signal);
      if (prompt.startsWith("write")) {
        const toolUseId = `use-${turn.number}`;
        const input = { path: "a.txt", content: "x" };
        const done = await session.calls.run({ tool: "notes_write", input, toolUseId, signal });
        return done.isError ? "refused" : "written";
      }
      if (prompt === "talk") {
        const item = log.newItem();
        for (const word of ["one ", "two ", "three"]) {
          log.delta(item, word);
          await sleep(60);
        }
        await log.message(item, "one two three");
        await log.usage({ inputTokens: 3, outputTokens: 5 });
        return undefined;
      }
      const steered = await turn.takeSteering();
      return `heard ${prompt}${steered ?? ""}`;
    });
  });
  afterAll(() => world.close());
  const plan = { mode: "plan" };

  it("start, answer, stay for the next message, and are listed for their owner", async () => {
    const { api } = world;
    const { status, body } = await api.post("/api/sessions", { prompt: "hello\nyou" }, own);
    expect(status).toBe(201);
    expect(body).toMatchObject({ owner: "token-call", runner: "scripted", title: "hello", mode: "act" });
    await world.until(body.id, "idle");
    const sent = await api.post(`/api/sessions/${body.id}/messages`, { text: "more" }, own);
    expect(sent.status).toBe(202);
    const events = await world.follow(body.id, isDoneTwice);
    expect(items(events).map(({ kind, data }) => data.text ?? kind)).toEqual([
      ...["hello\nyou", "heard hello\nyou", "completed"],
      ...["more", "heard more", "completed"],
    ]);
    for (const { kind, data } of items(events))
      expectFit(data, sessionItemData[kind as keyof typeof sessionItemData], kind);
    const { body: list } = await api.get("/api/sessions", own);
    expect(list.sessions[0].id).toBe(body.id);
    expect((await api.get("/api/sessions?owner=token-call&state=idle")).body.sessions).toHaveLength(1);
    expect((await api.get("/api/sessions?state=running&state=waiting")).body.sessions).toEqual([]);
    const removed = await api.delete(`/api/sessions/${body.id}`, own);
    expect(removed.body).toEqual({ id: body.id, removed: true });
    expect((await api.get(`/api/sessions/${body.id}`)).status).toBe(404);
  });

  it("go on in the stream where a client was, by Last-Event-ID and by after", async () => {
    const id = await world.start({ prompt: "talk", ...plan });
    const all = await world.follow(id, isState("idle"));
    expect(kindsOf(all)[0]).toMatch(/^session /);
    expect(items(all).map(({ kind }) => kind)).toEqual(["message", "message", "usage", "completed"]);
    const [first, second] = items(all);
    const rest = await world.follow(id, isDone, { lastEventId: first?.id ?? "" });
    expect(rest[0]?.kind).toBe("session");
    expect(items(rest)).toEqual(items(all).slice(1));
    const { id: after } = second as { id: string };
    const later = await world.follow(id, isDone, { query: `?after=${after}` });
    expect(items(later)).toEqual(items(all).slice(2));
    const lost = await world.follow(id, isDone, { lastEventId: "nowhere-4" });
    expect(kindsOf(lost).slice(0, 2)).toEqual(["reset", "session idle"]);
    expect(items(lost)).toEqual(items(all));
  });

  it("send what a message says while it is written, unless nobody wants to hear that", async () => {
    const id = await world.start({ prompt: "talk", ...plan });
    const [loud, quiet] = await Promise.all([
      world.follow(id, isState("idle")),
      world.follow(id, isState("idle"), { query: "?deltas=false" }),
    ]);
    const deltas = loud.filter(({ kind }) => kind === "message-delta");
    expect(deltas.map(({ data }) => data.text).join("")).toBe("one two three");
    expect(deltas.every(({ data }, at) => at === 0 || data.offset > 0)).toBe(true);
    expect(quiet.filter(({ kind }) => kind === "message-delta")).toEqual([]);
  });

  it("show their log page by page, and the cursor leads into the stream", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "talk", ...plan });
    await world.until(id, "idle");
    const { body: first } = await api.get(`/api/sessions/${id}?limit=2`);
    expect(first.items.map((one: ReadEvent) => one.kind)).toEqual(["message", "message"]);
    const { body: second } = await api.get(`/api/sessions/${id}?after=${first.next}`);
    expect(second.items.map((one: ReadEvent) => one.kind)).toEqual(["usage", "completed"]);
    expect(second.next).toBeUndefined();
    const usage = { inputTokens: 3, outputTokens: 5 };
    expect(second.session).toMatchObject({ usage, cursor: second.cursor });
    expect((await api.get(`/api/sessions/${id}?limit=0`)).body).toMatchObject({ items: [], prompts: [] });
    expect((await api.get(`/api/sessions/${id}?after=elsewhere-1`)).status).toBe(400);
  });

  it("wait for an answer that is given over REST while no client is connected", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "write" });
    const waiting = await world.follow(id, ({ kind }) => kind === "approval");
    const asked = waiting.find(({ kind }) => kind === "approval");
    expect(asked?.data).toMatchObject({ state: "asked", tool: "notes.write" });
    const person = { token: "token-approve" };
    const yes = { decision: "approve" };
    const answered = await api.post(`/api/approvals/${asked?.data.id}/answer`, yes, person);
    expect(answered.status).toBe(200);
    const after = await world.follow(id, isState("idle"), { lastEventId: asked?.id ?? "" });
    expect(kindsOf(after)).toContain("tool_result");
    expect(after.find(({ data }) => data.state === "approved")?.data.by).toBe("token-approve");
    expect(after.some(({ data }) => data.text === "written")).toBe(true);
    const { body } = await api.get(`/api/sessions/${id}`);
    for (const { kind, data } of body.items)
      expectFit(data, sessionItemData[kind as keyof typeof sessionItemData], kind);
    const { body: ledger } = await api.get(`/api/ledger?session=${id}`);
    expect(JSON.stringify(ledger.entries[0])).toContain(`"caller":"agent:${id}"`);
  });

  it("are cancelled, as often as somebody asks, and go on after that when they are told to", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "wait", ...plan }, "token-call");
    await world.until(id, "running");
    const path = `/api/sessions/${id}/cancel`;
    const [one, other] = await Promise.all([
      api.post(path, undefined, own),
      api.post(path, {}, { token: "token-admin" }),
    ]);
    expect([one?.status, other?.status]).toEqual([202, 202]);
    await world.until(id, "ended");
    const after = await api.post(path, { turn: 1 }, own);
    expect(after.body).toMatchObject({ state: "ended", end: "cancelled" });
    const { body } = await api.get(`/api/sessions/${id}`);
    expect(body.items.filter((item: ReadEvent) => item.kind === "cancelled")).toHaveLength(1);
    const dead = await api.post(`/api/sessions/${id}/messages`, { text: "x" }, own);
    expect([dead.status, dead.body.code]).toEqual([409, "session_ended"]);
    const message = { text: "again", resume: true, key: "k" };
    for (let times = 0; times < 2; times++)
      expect((await api.post(`/api/sessions/${id}/messages`, message, own)).status).toBe(202);
    const events = await world.follow(id, isDoneTwice);
    expect(events.filter(({ data }) => data.text === "again")).toHaveLength(1);
  });

  it("end one turn only, and refuse to steer one that is over", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "wait", ...plan });
    await world.until(id, "running");
    await api.post(`/api/sessions/${id}/cancel`, { turn: 7 }, own);
    expect((await api.get(`/api/sessions/${id}`)).body.session.state).toBe("running");
    await api.post(`/api/sessions/${id}/cancel`, { turn: 1 }, own);
    await world.until(id, "idle");
    const steer = { text: "left", steer: true, expectedTurn: 1 };
    const late = await api.post(`/api/sessions/${id}/messages`, steer, own);
    expect([late.status, late.body.code]).toEqual([409, "turn_changed"]);
  });

  it("queue what is sent while a turn runs", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "wait", ...plan });
    await world.until(id, "running");
    await api.post(`/api/sessions/${id}/messages`, { text: "later" }, own);
    expect((await api.get(`/api/sessions/${id}`)).body.prompts).toEqual([
      expect.objectContaining({ text: "later", by: "token-call" }),
    ]);
    await api.post(`/api/sessions/${id}/cancel`, { turn: 1 }, own);
    const events = await world.follow(id, isDone);
    expect(events.at(-1)?.data.turn).toBe(2);
  });

  it("start once for a key, in the header or in the body", async () => {
    const { api } = world;
    const body = { prompt: "once", ...plan };
    const first = await api.post("/api/sessions", { ...body, key: "k-1" }, own);
    const headers = { "idempotency-key": "k-1" };
    const second = await api.post("/api/sessions", body, { token: "token-call", headers });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
    const other = await api.post("/api/sessions", { ...body, prompt: "two", key: "k-1" }, own);
    expect([other.status, other.body.code]).toEqual([422, "key_reused"]);
    const both = await api.post("/api/sessions", { ...body, key: "k-2" }, { token: "token-call", headers });
    expect(both.status).toBe(400);
    const another = await api.post("/api/sessions", { ...body, key: "k-1" }, { token: "token-call-read" });
    expect(another.status).toBe(201);
  });

  it("name the session that works in the folder", async () => {
    const { api } = world;
    const holder = await world.start({ prompt: "wait" });
    const second = await api.post("/api/sessions", { prompt: "too" }, own);
    expect([second.status, second.body.code, second.body.holder]).toEqual([409, "folder_busy", holder]);
    await api.post(`/api/sessions/${holder}/cancel`, {}, own);
  });

  it("are hidden from others who may not read, and changed by nobody but owner and admin", async () => {
    const { api } = world;
    const id = await world.start({ prompt: "mine", ...plan }, "token-call");
    await world.until(id, "idle");
    const stranger = { token: "token-call-approve" };
    const reader = { token: "token-call-read" };
    for (const path of [`/api/sessions/${id}`, `/api/sessions/${id}/events`])
      expect((await api.get(path, stranger)).status, path).toBe(404);
    for (const [method, path, body] of [
      ["post", `/api/sessions/${id}/messages`, { text: "x" }],
      ["post", `/api/sessions/${id}/cancel`, {}],
    ] as const) {
      expect((await api[method](path, body, stranger)).status, path).toBe(404);
      expect((await api[method](path, body, reader)).status, path).toBe(403);
    }
    expect((await api.delete(`/api/sessions/${id}`, stranger)).status).toBe(404);
    expect((await api.delete(`/api/sessions/${id}`, reader)).status).toBe(403);
    expect((await api.get(`/api/sessions/${id}`, reader)).status).toBe(200);
    expect((await api.get("/api/sessions?owner=token-call", stranger)).status).toBe(403);
    expect((await api.get("/api/sessions", stranger)).body.sessions).toEqual([]);
    const listed = await api.get("/api/sessions?owner=token-call", reader);
    expect(listed.body.sessions.map((one: { id: string }) => one.id)).toContain(id);
    for (const token of ["token-read", "token-approve", "token-admin"])
      expect((await api.post("/api/sessions", { prompt: "x" }, { token })).status, token).toBe(403);
    const admin = { token: "token-admin" };
    expect((await api.post(`/api/sessions/${id}/messages`, { text: "x" }, admin)).status).toBe(202);
    expect((await api.delete(`/api/sessions/${id}`, admin)).status).toBe(200);
  });

  it("page through lists", async () => {
    const { api } = world;
    const token = "token-call-approve";
    for (const title of ["a", "b", "c"]) await world.start({ title, ...plan }, token);
    const { body: first } = await api.get("/api/sessions?limit=2", { token });
    const { body: second } = await api.get(`/api/sessions?limit=2&after=${first.next}`, { token });
    const titles = [...first.sessions, ...second.sessions].map(({ title }: { title: string }) => title);
    expect(titles).toEqual(["c", "b", "a"]);
    expect(second.next).toBeUndefined();
  });

  it("name the agents that there are", async () => {
    expect((await world.api.get("/api/runners", { token: "token-read" })).body).toEqual({
      runners: [{ name: "scripted", title: "A script", offers: ["gate", "agent", "none"], default: true }],
    });
  });

  it.each([
    [{ prompt: "" }, 422],
    [{ prompt: " " }, 400],
    [{ prompt: 4 }, 422],
    [{ prompt: "x", runner: "nobody" }, 422],
    [{ prompt: "x", cwd: "relative" }, 400],
    [{ prompt: "x", cwd: "/etc" }, 422],
    [{ prompt: "x", cwd: "/no/such/folder" }, 400],
    [{ prompt: "x", mode: "yolo" }, 422],
    [{ prompt: "x", model: "" }, 422],
    [{ prompt: "x", system: 5 }, 422],
    [{ prompt: "x", tools: "all" }, 422],
    [{ prompt: "x", categories: ["no_such_category"] }, 400],
    [{ prompt: "x", budget: { turns: 0 } }, 422],
    [{ prompt: "x", budget: { tokens: -1 } }, 422],
    [{ prompt: "x", budget: { timeMs: 1.5 } }, 422],
    [{ prompt: "x", budget: { time: 1 } }, 422],
    [{ prompt: "x", single: "yes" }, 422],
    [{ prompt: "x", worktree: 1 }, 422],
    [{ prompt: "x", worktree: true }, 400],
    [{ prompt: "x", key: "" }, 422],
    [{ prompt: "x", parent: "s-1" }, 422],
    [{ prompt: "x", title: "" }, 422],
  ])("refuse to start by %j", async (body, status) => {
    const answer = await world.api.post("/api/sessions", body, own);
    expect([answer.status, answer.body.detail.length > 5]).toEqual([status, true]);
  });

  it.each([
    [{}, 422],
    [{ text: "" }, 422],
    [{ text: " " }, 400],
    [{ text: "x", steer: true }, 422],
    [{ text: "x", expectedTurn: 1 }, 422],
    [{ text: "x", steer: true, expectedTurn: 0 }, 422],
    [{ text: "x", resume: "yes" }, 422],
    [{ text: "x", other: 1 }, 422],
  ])("refuse the message %j", async (body, status) => {
    const id = await world.start(plan);
    const answer = await world.api.post(`/api/sessions/${id}/messages`, body, own);
    expect(answer.status).toBe(status);
  });

  it.each(["?owner=a&owner=b", "?state=sleeping", "?limit=0", "?limit=x", "?other=1"])(
    "refuse the list%s",
    async (query) => {
      expect((await world.api.get(`/api/sessions${query}`)).status).toBe(400);
    },
  );
});

describe("sessions of a server", () => {
  it("that runs none are not there", async () => {
    await using server = await startTestServer({ routes: allRoutes });
    const answer = await server.ask("/api/sessions");
    expect(answer.status).toBe(404);
  });

  it("that is at its limits answer with 429", async () => {
    const world = await sessionWorld(({ signal }) => untilCancelled(signal), {
      sessions: { maxPerOwner: 1 },
    });
    await world.start({ mode: "plan" });
    const more = await world.api.post("/api/sessions", { prompt: "x", mode: "plan" }, own);
    expect([more.status, more.headers.get("retry-after")]).toEqual([429, "5"]);
    await world.close();
  });
});

const write = { tool: "notes_write", input: { path: "a.txt", content: "x" }, toolUseId: "use-1" };

async function worldOf(options: Parameters<typeof sessionWorld>[1] = {}): Promise<SessionWorld> {
  const world = await sessionWorld(async ({ prompt, signal }, { calls }) => {
    if (prompt === "write") await calls.run({ ...write, signal });
    return `heard ${prompt}`;
  }, options);
  onTestFinished(() => world.close());
  return world;
}

describe("sessions of a token that is revoked", () => {
  it("are ended, with their questions and messages, and no others", async () => {
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

  it("are not left behind if they began in the moment in which it was revoked", async () => {
    let left = 1;
    const tokens: typeof testTokens = {
      find: (token) => (token === "token-call" && left-- <= 0 ? undefined : testTokens.find(token)),
    };
    const { api, until } = await worldOf({ tokens });
    const { status, body } = await api.post("/api/sessions", { prompt: "write" }, own);
    expect([status, body.detail]).toEqual([401, expect.stringContaining("revoked")]);
    const [session] = (await api.get("/api/sessions")).body.sessions;
    await until(session.id, "ended");
    expect((await api.get("/api/approvals")).body.approvals).toEqual([]);
  });
});
