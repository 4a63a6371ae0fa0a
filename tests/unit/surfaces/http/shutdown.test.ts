import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../../../src/core/tool/tool.ts";
import type { TokenCheck } from "../../../../src/surfaces/http/server-parts.ts";
import { allRoutes } from "../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, testTokens } from "../../../http-server.ts";
import { ask } from "../../../raw-http.ts";

const headers = { authorization: "Bearer token-all", "content-type": "application/json" };
const call = (url: string, tool: string) =>
  ask(`${url}/api/tools/${tool}/call`, { method: "POST", headers, body: '{"input":{}}' });

function started() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const hold = defineTool({
    id: "test.hold",
    description: "Waits.",
    permission: "read",
    input: { type: "object" },
    async run(_input, { signal }) {
      begin();
      await Promise.race([free, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      return signal.aborted ? "aborted" : "done";
    },
  });
  return { hold, begun, release };
}

const write = defineTool({
  id: "test.write",
  description: "Asks first.",
  permission: "write",
  input: { type: "object" },
  run: () => "written",
});

describe("a server that ends", () => {
  it("waits for calls that run, answers them, and takes no others", async () => {
    const { hold, begun, release } = started();
    const server = await startTestServer({ routes: allRoutes, gate: { tools: [hold] } });
    const running = call(server.url, "test.hold");
    await begun;
    const closing = server.close({ drainMs: 5_000 });
    await expect(ask(`${server.url}/api/health/live`)).rejects.toThrow();
    release();
    const answer = await running;
    expect(JSON.parse(answer.text)).toMatchObject({ ok: true, result: { content: [{ text: "done" }] } });
    expect(answer.headers.connection).toBe("close");
    expect(await closing).toEqual({ cancelled: 0 });
  });

  it("answers calls that wait for a person at once, and says why they end", async () => {
    const server = await startTestServer({
      routes: allRoutes,
      gate: { tools: [write], enable: { enableAll: true } },
    });
    const waiting = call(server.url, "test.write");
    while ((await server.parts.store.approvals.waiting()).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const closing = server.close({ drainMs: 60_000 });
    const { status, text } = await waiting;
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ ok: false, error: { stage: "approve" } });
    expect(await closing).toEqual({ cancelled: 0 });
  });

  it("cancels what does not end in time", async () => {
    const { hold, begun } = started();
    const server = await startTestServer({ routes: allRoutes, gate: { tools: [hold] } });
    const running = call(server.url, "test.hold");
    await begun;
    expect(await server.close({ drainMs: 20 })).toEqual({ cancelled: 1 });
    expect(JSON.parse((await running).text)).toMatchObject({ ok: false, error: { code: "cancelled" } });
  });

  it("ends event streams, and does not wait for sockets on which nothing, or only half a request, was sent", async () => {
    const server = await startTestServer({ routes: allRoutes });
    const events = await server.ask("/api/events");
    expect(events.status).toBe(200);
    const { port } = new URL(server.url);
    const idle = connect(Number(port), "127.0.0.1");
    idle.on("error", () => {});
    const gone = new Promise((resolve) => idle.once("close", resolve));
    await new Promise((resolve) => idle.once("connect", resolve));
    idle.write("GET /api");
    const slow = connect(Number(port), "127.0.0.1");
    slow.on("error", () => {});
    slow.write(
      `POST /api/explain HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer token-all\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    while (server.parts.server.requestsInFlight < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    const closing = server.close({ drainMs: 60_000 });
    await events.text();
    expect(await closing).toEqual({ cancelled: 0 });
    await gone;
  });
});

describe("a client that leaves", () => {
  it("cancels its call", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const hold = defineTool({
      id: "test.hold",
      description: "Waits.",
      permission: "read",
      input: { type: "object" },
      async run(_input, { signal }) {
        begin();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        end();
      },
    });
    await using server = await startTestServer({ routes: allRoutes, gate: { tools: [hold] } });
    const leaving = new AbortController();
    const running = server
      .ask("/api/tools/test.hold/call", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"input":{}}',
        signal: leaving.signal,
      })
      .catch(() => "left");
    await begun;
    leaving.abort();
    expect(await running).toBe("left");
    await ended;
    expect(server.broken).toEqual([]);
  });

  it("while its token is looked at keeps no place, and nothing is done for it", async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: found, resolve: find } = Promise.withResolvers<void>();
    let looks = 0;
    let calls = 0;
    const count = defineTool({
      id: "test.count",
      description: "Counts.",
      permission: "read",
      input: { type: "object" },
      run: () => ++calls,
    });
    const tokens: TokenCheck = {
      find(token) {
        if (looks++ > 0) return testTokens.find(token);
        ask();
        return found.then(() => testTokens.find(token));
      },
    };
    const limits = { maxInFlight: 1 };
    await using server = await startTestServer({
      routes: allRoutes,
      gate: { tools: [count] },
      tokens,
      limits,
    });
    const leaving = new AbortController();
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"input":{}}' };
    const left = server
      .ask("/api/tools/test.count/call", { ...init, signal: leaving.signal })
      .catch(() => "left");
    await asked;
    leaving.abort();
    expect(await left).toBe("left");
    while (server.parts.server.requestsInFlight > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    find();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await server.ask("/api/tools/test.count/call", init)).status).toBe(200);
    expect(calls).toBe(1);
  });
});
