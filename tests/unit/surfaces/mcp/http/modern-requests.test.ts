import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, type Endpoint, eventsOf, modern, openEndpoint } from "./mcp-endpoint.ts";

describe("requests of the newest version over HTTP", () => {
  let endpoint: Endpoint;
  const post: Endpoint["post"] = (...given) => endpoint.post(...given);

  beforeAll(async () => {
    endpoint = await openEndpoint();
  });

  afterAll(() => endpoint.server.close());

  it("need no session and are answered in plain JSON", async () => {
    const answer = await post(...modern(5, "tools/call", { name: "math_add", arguments: { a: 1, b: 2 } }));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(await answer.json()).toMatchObject({
      id: 5,
      result: { resultType: "complete", content: [{ type: "text", text: "3" }] },
    });
    expect(endpoint.server.parts.mcp?.sessions).toBe(0);
  });

  it("are refused when headers and body do not fit, and nothing runs", async () => {
    const [message, headers] = modern(1, "tools/call", { name: "math_add", arguments: { a: 1, b: 2 } });
    for (const wrong of [
      { ...headers, "mcp-name": "slow_wait" },
      { ...headers, "mcp-method": "tools/list" },
      { ...headers, "mcp-protocol-version": "2025-11-25" },
    ]) {
      const answer = await post(message, wrong);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32020 } });
    }
  });

  it("say by the status what a proxy should know", async () => {
    const unknown = await post(...modern(1, "no/such"));
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { id: 1, error: { code: -32601 } }]);
    const [message, headers] = modern(2, "tools/list");
    const version = JSON.parse(JSON.stringify(message).replace("2026-07-28", "2099-01-01"));
    const unsupported = await post(version, { ...headers, "mcp-protocol-version": "2099-01-01" });
    expect([unsupported.status, await unsupported.json()]).toMatchObject([
      400,
      { error: { code: -32022, data: { requested: "2099-01-01", supported: ["2026-07-28"] } } },
    ]);
    const noTool = await post(...modern(3, "tools/call", { name: "no_such" }));
    expect([noTool.status, await noTool.json()]).toMatchObject([200, { id: 3, error: { code: -32602 } }]);
  });

  it("are cancelled when their client leaves", async () => {
    const leaving = new AbortController();
    const waiting = post(...modern(1, "tools/call", { name: "slow_wait", arguments: {} }), leaving.signal);
    await endpoint.gated.started(1);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await expect.poll(() => endpoint.gated.signals.at(-1)?.aborted).toBe(true);
    endpoint.gated.finish();
  });

  it("may stay open to listen, and end with the server", async () => {
    const own = await openEndpoint();
    const answer = await own.post(
      ...modern("l", "subscriptions/listen", { notifications: { toolsListChanged: true } }),
    );
    const events = eventsOf(answer);
    expect((await events.next()).value?.data).toContain("notifications/subscriptions/acknowledged");
    const { tool } = own.gated;
    own.server.parts.gate.tools.register({ ...tool, id: "slow.other" });
    expect((await events.next()).value?.data).toContain("notifications/tools/list_changed");
    const closing = own.server.close({ drainMs: 5_000 });
    expect((await closing).cancelled).toBe(0);
  });

  it("count as streams while they listen, and leave the places of calls to calls", async () => {
    const own = await openEndpoint({ limits: { maxInFlight: 2, maxStreams: 3 } });
    const leaving = new AbortController();
    const listen = (id: number) =>
      own.post(...modern(id, "subscriptions/listen", { notifications: {} }), leaving.signal);
    const statuses = [];
    for (const id of [1, 2, 3, 4]) statuses.push((await listen(id)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await own.post(...modern(9, "tools/list"))).status).toBe(200);
    leaving.abort();
    await own.server.close();
  });

  it("need the right to call for what runs, and a token at all", async () => {
    const reader = { authorization: "Bearer token-read" };
    const [message, headers] = modern(1, "tools/call", { name: "math_add", arguments: { a: 1, b: 2 } });
    expect((await post(message, { ...headers, ...reader })).status).toBe(403);
    const [listed, listHeaders] = modern(2, "tools/list");
    expect((await post(listed, { ...listHeaders, ...reader })).status).toBe(200);
    expect((await post(listed, { ...listHeaders, authorization: "Bearer wrong" })).status).toBe(401);
  });

  it("are recorded under the token's caller, with the way they came", async () => {
    await (await post(...modern(1, "tools/call", { name: "math_add", arguments: { a: 2, b: 2 } }))).text();
    const { entries } = await endpoint.server.parts.store.ledger.query({ tool: "math.add" });
    expect(entries[0]?.body).toMatchObject({ tool: "math.add", surface: "mcp", caller: "token-all" });
  });

  it("do not fit into a session's words, nor the other way round", async () => {
    const [, headers] = modern(1, "tools/call", { name: "math_add" });
    const answer = await post(call(1, "math_add", { a: 1, b: 2 }), headers);
    expect([answer.status, await answer.json()]).toMatchObject([400, { id: 1, error: { code: -32602 } }]);
  });
});
