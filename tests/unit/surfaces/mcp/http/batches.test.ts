import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, type Endpoint, initialize, modern, openEndpoint } from "./mcp-endpoint.ts";

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const cancel = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

describe("a batch over HTTP", () => {
  let endpoint: Endpoint;
  const post: Endpoint["post"] = (...given) => endpoint.post(...given);
  const begin = async (version = "2025-03-26", headers = {}) => ({
    ...headers,
    "mcp-session-id": await endpoint.begin(headers, version),
  });

  beforeAll(async () => {
    endpoint = await openEndpoint();
  });

  afterAll(() => endpoint.server.close());

  it("in a session of 2025-03-26 is answered as one list", async () => {
    const session = await begin();
    const answer = await post(
      [
        call("a", "math_add", { a: 1, b: 2 }),
        { jsonrpc: "2.0", method: "notifications/x" },
        ping(2),
        { jsonrpc: "2.0", id: 3, method: "nope" },
        "no message",
      ],
      session,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual([
      { jsonrpc: "2.0", id: "a", result: { content: [{ type: "text", text: "3" }] } },
      { jsonrpc: "2.0", id: 2, result: {} },
      expect.objectContaining({ id: 3, error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
    ]);
  });

  it("of notifications alone is taken without an answer", async () => {
    const answer = await post([cancel(1), { jsonrpc: "2.0", method: "notifications/x" }], await begin());
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe("");
  });

  it("does not wait for what was cancelled, and ends what runs when the client leaves", async () => {
    const session = await begin();
    const waiting = post([call("slow", "slow_wait", {}), ping(1)], session);
    await endpoint.gated.started(1);
    await post(cancel("slow"), session);
    expect(await (await waiting).json()).toMatchObject([{ id: "slow", error: { code: -32800 } }, { id: 1 }]);
    const left = new AbortController();
    const gone = post([call("slow", "slow_wait", {}), ping(1)], session, left.signal);
    await endpoint.gated.started(2);
    left.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => endpoint.gated.signals[1]?.aborted).toBe(true);
  });

  it("gives each message no more than it would have had alone", async () => {
    const session = await begin("2025-03-26", { authorization: "Bearer token-read" });
    const answer = await post([call(1, "math_add", { a: 1, b: 2 }), ping(2)], session);
    expect(await answer.json()).toMatchObject([
      { id: 1, error: { message: expect.stringContaining("needs a token with the right call") } },
      { id: 2, result: {} },
    ]);
    const other = { ...session, authorization: "Bearer token-call" };
    expect((await post([ping(1)], other)).status).toBe(404);
    expect((await post([ping(1)])).status).toBe(400);
  });

  it("counts as its messages, so that nobody has more requests by sending them together", async () => {
    const session = await begin("2025-03-26", { authorization: "Bearer token-call" });
    const pings = (count: number) => Array.from({ length: count }, (_, id) => ping(id));
    expect((await post(pings(50), session)).status).toBe(200);
    const refused = await post(pings(51), session);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("send fewer together") });
    // Its places are free again.
    expect((await post(pings(50), session)).status).toBe(200);
    let status = 200;
    for (let batches = 0; status === 200 && batches < 30; batches++)
      ({ status } = await post(pings(50), { ...session }));
    expect(status).toBe(429);
  });

  it("is refused where the version has none, where it is too long, and where a message stands alone", async () => {
    const session = await begin();
    const [message, headers] = modern(1, "tools/list");
    const refused = [
      await post([ping(1)], await begin("2025-11-25")),
      await post([ping(1)], await begin("2025-06-18")),
      await post([message], headers),
      await post([message], session),
      await post([initialize("2025-03-26")], session),
      await post([], session),
      await post(
        Array.from({ length: 101 }, (_, id) => ping(id)),
        session,
      ),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });
});
