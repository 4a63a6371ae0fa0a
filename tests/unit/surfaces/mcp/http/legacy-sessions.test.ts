import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { allEvents, call, type Endpoint, eventsOf, initialize, openEndpoint } from "./mcp-endpoint.ts";

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
/** Where a test must not depend on time, the tool ends with this. */
let held: Promise<void> | undefined;

const told = defineTool({
  id: "slow.told",
  description: "Tells of its progress, and ends a little later.",
  permission: "read",
  input: { type: "object", properties: {}, additionalProperties: false },
  run: async (_input, { progress }) => {
    progress({ done: 1, total: 2 });
    await (held ?? new Promise((resolve) => setTimeout(resolve, 100)));
    return "told";
  },
});

const listening = { accept: "text/event-stream" };

describe("sessions over HTTP", () => {
  let endpoint: Endpoint;
  /** Headers of a new session. */
  const begun = async (...given: Parameters<Endpoint["begin"]>) => ({
    "mcp-session-id": await endpoint.begin(...given),
  });
  const post: Endpoint["post"] = (...given) => endpoint.post(...given);

  beforeAll(async () => {
    endpoint = await openEndpoint({}, [told]);
  });

  afterAll(() => endpoint.server.close());

  it("begin with initialize and answer in plain JSON", async () => {
    const session = await endpoint.begin();
    expect(session).toMatch(/^[\w-]{22,}\.[\w-]{22}$/);
    const answer = await post(call(7, "math_add", { a: 1, b: 2 }), { "mcp-session-id": session });
    expect(answer.headers.get("content-type")).toBe("application/json");
    const result = { content: [{ type: "text", text: "3" }] };
    expect(await answer.json()).toEqual({ jsonrpc: "2.0", id: 7, result });
  });

  it("are needed", async () => {
    expect((await post(list)).status).toBe(400);
    expect((await post(list, { "mcp-session-id": "A".repeat(22) })).status).toBe(404);
    expect((await post(list, await begun())).status).toBe(200);
  });

  it("end with DELETE: what ran in them is cancelled, and they are gone", async () => {
    const session = await begun();
    const waiting = post(call(1, "slow_wait", {}), session);
    await endpoint.gated.started(1);
    const ended = await endpoint.server.ask("/mcp", { method: "DELETE", headers: session });
    expect(ended.status).toBe(200);
    expect(endpoint.gated.signals.at(-1)?.aborted).toBe(true);
    const error = { message: "The request was cancelled." };
    expect(await (await waiting).json()).toMatchObject({ id: 1, error });
    expect((await post(list, session)).status).toBe(404);
  });

  it("are not opened for a request that cannot be taken", async () => {
    const { sessions } = endpoint.server.parts.mcp ?? { sessions: -1 };
    const answer = await post({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} });
    expect(await answer.json()).toMatchObject({ id: 0, error: { code: -32602 } });
    expect(endpoint.server.parts.mcp?.sessions).toBe(sessions);
  });

  it("refuse a version they do not know, a batch, and what is no message", async () => {
    const session = await begun();
    const wrong = [
      await post(list, { ...session, "mcp-protocol-version": "1999-01-01" }),
      await post([list, list], session),
      await post({ id: 1, method: "tools/list" }, session),
      await post({ jsonrpc: "2.0", id: {}, method: "tools/list" }, session),
      await post("tools/list", session),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    for (const answer of wrong)
      expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  });

  it("refuse a known version that is not the one they agreed on, whatever is asked", async () => {
    const session = await begun();
    const other = { ...session, "mcp-protocol-version": "2025-06-18" };
    const { server } = endpoint;
    const refused = [
      await post(list, other),
      await post({ jsonrpc: "2.0", method: "notifications/initialized" }, other),
      await post({ jsonrpc: "2.0", id: 1, result: {} }, other),
      await server.ask("/mcp", { headers: { ...other, ...listening } }),
      await server.ask("/mcp", { method: "DELETE", headers: other }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await refused[0]?.json()).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining("agreed on 2025-11-25") },
    });
    const same = await post(list, { ...session, "mcp-protocol-version": "2025-11-25" });
    expect([same.status, (await post(list, session)).status]).toEqual([200, 200]);
    expect((await post(initialize("2025-06-18"), other)).status).toBe(200);
  });

  it("refuse a second request under an id that is in use", async () => {
    const session = await begun();
    const first = post(call("same", "slow_wait", {}), session);
    await endpoint.gated.started(2);
    const second = await post(call("same", "math_add", { a: 1, b: 1 }), session);
    expect(await second.json()).toMatchObject({ id: "same", error: { code: -32600 } });
    endpoint.gated.finish();
    expect(await (await first).json()).toMatchObject({ id: "same", result: { content: [{ text: "done" }] } });
  });

  it("stream what there is to say before the answer, and the answer", async () => {
    const session = await begun();
    const answer = await post(call(1, "slow_told", {}, { progressToken: "t" }), session);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const events = await allEvents(answer);
    expect(events.map(({ id }) => id?.replace(/^[0-9a-f]{8}/, ""))).toEqual(["1-0", "1-1", "1-2"]);
    expect(events[0]?.data).toBe("");
    expect(JSON.parse(events[1]?.data ?? "")).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1, total: 2 },
    });
    expect(JSON.parse(events[2]?.data ?? "")).toMatchObject({
      id: 1,
      result: { content: [{ text: "told" }] },
    });
  });

  it("send older clients no event that they cannot read", async () => {
    const session = await begun({}, "2025-06-18");
    const events = await allEvents(await post(call(1, "slow_told", {}, { progressToken: "t" }), session));
    expect(events.every(({ data }) => data !== "")).toBe(true);
  });

  it("keep an answer for a client whose connection broke, and nobody else", async () => {
    const session = await begun();
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const answer = await post(call(1, "slow_told", {}, { progressToken: "t" }), session, leaving.signal);
    const { value } = await eventsOf(answer).next();
    leaving.abort();
    const back = { ...listening, "last-event-id": value?.id ?? "" };
    const stranger = await endpoint.server.ask("/mcp", { headers: { ...back, ...(await begun()) } });
    expect(stranger.status).toBe(400);
    const again = await endpoint.server.ask("/mcp", { headers: { ...session, ...back } });
    resolve();
    held = undefined;
    const messages = (await allEvents(again)).map(({ data }) => data).filter((data) => data !== "");
    expect(messages.map((data) => JSON.parse(data))).toMatchObject([
      { method: "notifications/progress" },
      { id: 1, result: { content: [{ text: "told" }] } },
    ]);
  });

  it("tell whoever listens that tools have changed", async () => {
    const session = await begun();
    const leaving = new AbortController();
    const asked = { headers: { ...session, ...listening }, signal: leaving.signal };
    const events = eventsOf(await endpoint.server.ask("/mcp", asked));
    expect((await events.next()).value?.data).toBe("");
    const { tools } = endpoint.server.parts.gate;
    tools.register({ ...told, id: "slow.other" });
    expect((await events.next()).value?.data).toContain("notifications/tools/list_changed");
    leaving.abort();
  });

  it("cancel what a client asked for that left without a way to come back", async () => {
    const session = await begun();
    const leaving = new AbortController();
    const waiting = post(call(1, "slow_wait", {}), session, leaving.signal);
    await endpoint.gated.started(3);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => endpoint.gated.signals.at(-1)?.aborted).toBe(true);
    endpoint.gated.finish();
  });

  it("let those who may only read list tools and nothing more", async () => {
    const reader = { authorization: "Bearer token-read" };
    const session = { ...reader, "mcp-session-id": await endpoint.begin(reader) };
    expect((await post(list, session)).status).toBe(200);
    expect((await post(call(1, "math_add", { a: 1, b: 2 }), session)).status).toBe(403);
    const approver = { authorization: "Bearer token-approve" };
    expect((await post(initialize("2025-11-25"), approver)).status).toBe(403);
  });
});

describe("sessions after a restart", () => {
  const sessionKey = Buffer.alloc(32, 7);
  const open = () => openEndpoint({ mcp: { sessionKey } }, [told]);

  it("go on for the client that began them, which is told to ask again", async () => {
    const before = await open();
    const id = await before.begin();
    const over = await before.begin();
    await before.server.ask("/mcp", { method: "DELETE", headers: { "mcp-session-id": over } });
    expect((await before.post(list, { "mcp-session-id": over })).status).toBe(404);
    await before.server.close();
    const after = await open();
    try {
      const answer = await after.post(call(7, "math_add", { a: 1, b: 2 }), { "mcp-session-id": id });
      expect(await answer.json()).toMatchObject({ id: 7, result: { content: [{ text: "3" }] } });
      const leaving = new AbortController();
      const stream = await after.server.ask("/mcp", {
        headers: { "mcp-session-id": id, accept: "text/event-stream", "last-event-id": "0badcafeg-57" },
        signal: leaving.signal,
      });
      const events = eventsOf(stream);
      expect((await events.next()).value?.data).toBe("");
      expect((await events.next()).value?.data).toContain("notifications/tools/list_changed");
      leaving.abort();
    } finally {
      await after.server.close();
    }
  });

  it("are nobody else's, and cannot be made up", async () => {
    const before = await open();
    const id = await before.begin();
    await before.server.close();
    const after = await open();
    const [body = "", seal = ""] = id.split(".");
    try {
      const statusOf = async (given: string, token = "token-all") =>
        (await after.post(list, { "mcp-session-id": given, authorization: `Bearer ${token}` })).status;
      expect(await statusOf(id, "token-call")).toBe(404);
      expect(await statusOf(`${body.slice(0, -1)}${body.endsWith("A") ? "B" : "A"}.${seal}`)).toBe(404);
      expect(await statusOf(`${body}.${seal.startsWith("A") ? "B" : "A"}${seal.slice(1)}`)).toBe(404);
      expect(await statusOf(body)).toBe(404);
      expect(await statusOf(id)).toBe(200);
    } finally {
      await after.server.close();
    }
  });
});

describe("a server that ends", () => {
  it("answers the call whose question still waits at the client, and waits for nobody", async () => {
    const endpoint = await openEndpoint({
      gate: { policies: [{ name: "ask", tools: "math.add", action: "ask" }] },
      mcp: { approveByElicitation: true },
    });
    const begun = await endpoint.post(initialize("2025-11-25", { elicitation: {} }));
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const events = eventsOf(await endpoint.post(call(1, "math_add", { a: 1, b: 2 }), session));
    expect((await events.next()).value?.data).toBe("");
    expect((await events.next()).value?.data).toContain("elicitation/create");
    const closing = endpoint.server.close({ drainMs: 10_000 });
    const rest: string[] = [];
    for await (const { data } of events) rest.push(data);
    expect(rest.at(-1)).toContain('"isError":true');
    expect(await closing).toEqual({ cancelled: 0 });
  });
});

describe("the limit of sessions", () => {
  it("lets the longest unused give way, and refuses when all are in use", async () => {
    const endpoint = await openEndpoint({ mcp: { legLimits: { maxPerCaller: 2 } } });
    try {
      const [first, second] = [await endpoint.begin(), await endpoint.begin()];
      const third = await endpoint.begin();
      const statusOf = async (id: string) => (await endpoint.post(list, { "mcp-session-id": id })).status;
      expect([await statusOf(second), await statusOf(third)]).toEqual([200, 200]);
      expect(endpoint.server.parts.mcp?.sessions).toBe(2);
      // Closed to save memory, and there again for whoever has its id.
      expect([await statusOf(first), endpoint.server.parts.mcp?.sessions]).toEqual([200, 2]);
      const waiting = [second, third].map((id) =>
        endpoint.post(call(1, "slow_wait", {}), { "mcp-session-id": id }),
      );
      await endpoint.gated.started(2);
      const refused = await endpoint.post(initialize("2025-11-25"));
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
      endpoint.gated.finish();
      await Promise.all(waiting);
    } finally {
      await endpoint.server.close();
    }
  });
});
