/** A gateway among its own upstream servers, directly or in a ring: every call would come back for ever. */
import { Type } from "typebox";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defineTool } from "../../src/core/tool/tool.ts";
import { json } from "../../src/surfaces/http/answer.ts";
import { defineRoute } from "../../src/surfaces/http/route.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { overHttp, scriptedHttp } from "../unit/sources/upstream/scripted-http.ts";
import { call } from "../unit/sources/upstream/scripted-upstream.ts";
import { modern, openEndpoint, call as toolCall } from "../unit/surfaces/mcp/http/mcp-endpoint.ts";

let server: TestServer;
let next: Awaited<ReturnType<typeof scriptedHttp>>;
beforeEach(async () => {
  next = await scriptedHttp("modern");
  const upstream = overHttp(next.url);
  const passOn = defineRoute({
    method: "GET",
    path: "/api/pass-on",
    right: "call",
    summary: "Asks an upstream server.",
    answers: { 200: Type.Object({}) },
    handle: async () => json({ text: await call(upstream, "echo", {}) }),
  });
  server = await startTestServer({ routes: [...allRoutes, passOn], mcp: {} });
});
afterEach(() => server.close());

const another = "a".repeat(16);
const third = "b".repeat(16);

const passOn = (via?: string) =>
  server.ask("/api/pass-on", via === undefined ? {} : { headers: { "toolgate-via": via } });
const lastVia = () =>
  next.seen.findLast(({ message }) => message.method === "tools/call")?.headers["toolgate-via"];

it("is refused where it asks itself, and says so", async () => {
  const itself = overHttp(`${server.url}/mcp`, { headers: { authorization: "Bearer token-all" } });
  await expect(itself.listTools()).rejects.toThrow(/HTTP 508.*asked by itself/);
});

it("tells upstream servers which gateways a request has passed, and the next one refuses a ring", async () => {
  expect((await passOn()).status).toBe(200);
  const own = lastVia();
  expect(own).toMatch(/^[0-9a-f]{16}$/);
  expect((await passOn(another)).status).toBe(200);
  expect(lastVia()).toBe(`${another}, ${own}`);
  const back = await passOn(`${another},${own}`);
  expect([back.status, await back.json()]).toEqual([508, expect.objectContaining({ code: "gateway_ring" })]);
});

it("refuses what has passed three gateways", async () => {
  expect((await passOn(`${another}, ${third}`)).status).toBe(200);
  expect((await passOn(`${another}, ${third}, ${"c".repeat(16)}`)).status).toBe(508);
});

it("passes nothing on that no gateway writes: a long header could have every server refuse everybody", async () => {
  for (const via of ["x".repeat(15_000), "first", `${another}, `, `${another}; q=1`])
    expect((await passOn(via)).status).toBe(508);
  expect(lastVia()).toBeUndefined();
});

it("names them also for the calls of MCP clients, with a session and without", async () => {
  const upstream = overHttp(next.url);
  const ask = defineTool({
    id: "test.ask",
    description: "Asks an upstream server.",
    permission: "read",
    input: { type: "object" },
    run: () => call(upstream, "echo", {}),
  });
  const endpoint = await openEndpoint({}, [ask]);
  try {
    const [message, headers] = modern(1, "tools/call", { name: "test_ask", arguments: {} });
    const answer = await endpoint.post(message, { ...headers, "toolgate-via": another });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("{}")]);
    expect(lastVia()).toMatch(new RegExp(`^${another}, \\w{16}$`));
    const session = { "mcp-session-id": await endpoint.begin() };
    const legacy = await endpoint.post(toolCall(1, "test_ask", {}), { ...session, "toolgate-via": third });
    expect([legacy.status, await legacy.text()]).toEqual([200, expect.stringContaining("{}")]);
    expect(lastVia()).toMatch(new RegExp(`^${third}, \\w{16}$`));
  } finally {
    await endpoint.server.close();
  }
});
