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

const about = { description: "Of the test.", permission: "read", input: { type: "object" } } as const;

function started() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const hold = defineTool({
    ...about,
    id: "test.hold",
    async run(_input, { signal }) {
      begin();
      await Promise.race([free, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      end();
      return signal.aborted ? "aborted" : "done";
    },
  });
  return { hold, begun, release, ended };
}

const write = defineTool({ ...about, id: "test.write", permission: "write", run: () => "written" });
const posted = { method: "POST", headers: { "content-type": "application/json" }, body: '{"input":{}}' };

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
    await expect.poll(() => server.parts.store.approvals.waiting()).toHaveLength(1);
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
    await expect.poll(() => server.parts.server.requestsInFlight).toBe(1);
    const closing = server.close({ drainMs: 60_000 });
    await events.text();
    expect(await closing).toEqual({ cancelled: 0 });
    await gone;
  });
});

describe("a client that leaves", () => {
  it("cancels its call", async () => {
    const { hold, begun, ended } = started();
    await using server = await startTestServer({ routes: allRoutes, gate: { tools: [hold] } });
    const leaving = new AbortController();
    const running = server
      .ask("/api/tools/test.hold/call", { ...posted, signal: leaving.signal })
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
    const count = defineTool({ ...about, id: "test.count", run: () => ++calls });
    const tokens: TokenCheck = {
      find(token) {
        if (looks++ > 0) return testTokens.find(token);
        ask();
        return found.then(() => testTokens.find(token));
      },
    };
    const gate = { tools: [count] };
    await using server = await startTestServer({
      routes: allRoutes,
      gate,
      tokens,
      limits: { maxInFlight: 1 },
    });
    const leaving = new AbortController();
    const left = server
      .ask("/api/tools/test.count/call", { ...posted, signal: leaving.signal })
      .catch(() => "left");
    await asked;
    leaving.abort();
    expect(await left).toBe("left");
    await expect.poll(() => server.parts.server.requestsInFlight).toBe(0);
    find();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await server.ask("/api/tools/test.count/call", posted)).status).toBe(200);
    expect(calls).toBe(1);
  });
});
