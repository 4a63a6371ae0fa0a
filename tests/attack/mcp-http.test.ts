/** What one holder of a token tries with the MCP sessions of another, and what pages and former holders try. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { defineTool } from "../../src/core/tool/tool.ts";
import { metaKeys, rpcCodes } from "../../src/mcp/messages.ts";
import { call as mcpCall } from "../../src/sources/builtin/mcp/call.ts";
import { toolsCall } from "../../src/sources/builtin/mcp/tools-call.ts";
import type { TokenCheck } from "../../src/surfaces/http/server-parts.ts";
import { principal, testTokens } from "../http-server.ts";
import { ask } from "../raw-http.ts";
import { read, write } from "../tools.ts";
import {
  call,
  type Endpoint,
  eventsOf,
  initialize,
  modern,
  openEndpoint,
} from "../unit/surfaces/mcp/http/mcp-endpoint.ts";

const mine = { authorization: "Bearer token-call" };
const other = { authorization: "Bearer token-call-read" };
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Wants an argument repeated in a header. */
const placeTool = (ran: unknown[]) =>
  defineTool({
    id: "place.show",
    description: "Shows a place.",
    permission: "read",
    input: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    run: (given) => ran.push(given),
  });

describe("MCP over HTTP under attack", () => {
  let endpoint: Endpoint;
  afterEach(() => endpoint.server.close());

  it("lets nobody cancel, answer, read or end what belongs to another caller", async () => {
    endpoint = await openEndpoint();
    const id = await endpoint.begin(mine);
    const waiting = endpoint.post(call(1, "slow_wait", {}), { ...mine, "mcp-session-id": id });
    await endpoint.gated.started(1);
    const stolen = { ...other, "mcp-session-id": id };
    const tries = [
      await endpoint.post(
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
        stolen,
      ),
      await endpoint.post({ jsonrpc: "2.0", id: 1, result: { action: "accept" } }, stolen),
      await endpoint.post(call(1, "math_add", { a: 1, b: 2 }), stolen),
      await endpoint.server.ask("/mcp", { headers: { ...stolen, accept: "text/event-stream" } }),
      await endpoint.server.ask("/mcp", { method: "DELETE", headers: stolen }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(endpoint.gated.signals[0]?.aborted).toBe(false);
    endpoint.gated.finish();
    expect(await (await waiting).json()).toMatchObject({ id: 1, result: { content: [{ text: "done" }] } });
  });

  it("never takes a session's id from the client", async () => {
    endpoint = await openEndpoint();
    const chosen = "A".repeat(22);
    const answer = await endpoint.post(initialize("2025-11-25"), { "mcp-session-id": chosen });
    expect(answer.headers.get("mcp-session-id")).not.toBe(chosen);
    expect((await endpoint.post(list, { "mcp-session-id": chosen })).status).toBe(404);
    const id = answer.headers.get("mcp-session-id") ?? "";
    expect((await endpoint.post(list, { "mcp-session-id": `${id}, ${id}` })).status).toBe(404);
  });

  it("answers no page of another origin, no other host, and takes no token from the address", async () => {
    endpoint = await openEndpoint();
    const { url } = endpoint.server;
    const body = JSON.stringify(initialize("2025-11-25"));
    const send = (path: string, headers: Record<string, string>) =>
      ask(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    const all = { authorization: "Bearer token-all" };
    expect((await send("/mcp", { ...all, origin: "https://evil.example" })).status).toBe(403);
    expect((await send("/mcp", { ...all, host: "evil.example" })).status).toBe(403);
    expect((await send("/mcp?token=token-all", {})).status).toBe(401);
    expect((await send("/mcp", all)).status).toBe(200);
  });

  it("ends streams whose token was taken back", async () => {
    let isRevoked = false;
    const tokens: TokenCheck = { find: (token) => (isRevoked ? undefined : testTokens.find(token)) };
    endpoint = await openEndpoint({ tokens, mcp: { legLimits: { heartbeatMs: 50 } } });
    const session = { "mcp-session-id": await endpoint.begin() };
    const streams = [
      await endpoint.server.ask("/mcp", { headers: { ...session, accept: "text/event-stream" } }),
      await endpoint.post(
        ...modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
      ),
    ];
    isRevoked = true;
    for (const stream of streams) {
      let last = "";
      for await (const { data } of eventsOf(stream)) last = data;
      expect(last).not.toContain("list_changed");
    }
  });

  it("makes calls with what a token may do now, not with what it could when the session began", async () => {
    let capabilities = ["*"];
    const tokens: TokenCheck = { find: () => principal("agent", ["call"], capabilities) };
    endpoint = await openEndpoint({ tokens }, [read]);
    const session = { "mcp-session-id": await endpoint.begin() };
    const reading = async () =>
      (await endpoint.post(call(1, "notes_read", { path: "a" }), session)).json() as Promise<object>;
    expect(await reading()).toMatchObject({ result: { content: [{ text: "text of a" }] } });
    capabilities = ["net:fetch"];
    expect(await reading()).toMatchObject({ result: { isError: true } });
  });

  it("gives a token that lost its right nothing more in a session it began with it", async () => {
    let held: readonly ("call" | "read")[] = ["call", "read"];
    const tokens: TokenCheck = { find: () => principal("agent", held) };
    endpoint = await openEndpoint({ tokens });
    const session = { "mcp-session-id": await endpoint.begin() };
    const add = () => endpoint.post(call(1, "math_add", { a: 1, b: 2 }), session);
    expect((await add()).status).toBe(200);
    held = ["read"];
    expect((await add()).status).toBe(403);
  });

  it("lets nobody who may only read tell a server which resources to watch, in either era", async () => {
    const tokens: TokenCheck = { find: () => principal("reader", ["read"]) };
    endpoint = await openEndpoint({ tokens });
    const session = { "mcp-session-id": await endpoint.begin() };
    const subscribe = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "note://a" } };
    expect((await endpoint.post(subscribe, session)).status).toBe(403);
    const listening = (notifications: object) =>
      endpoint.post(...modern(1, "subscriptions/listen", { notifications }));
    expect((await listening({ resourceSubscriptions: ["note://a"] })).status).toBe(403);
    const changes = await listening({ toolsListChanged: true });
    expect(changes.status).toBe(200);
    await changes.body?.cancel();
  });

  it("takes no yes from a token that may only call, whatever its client says it can show", async () => {
    endpoint = await openEndpoint({ mcp: { approveByElicitation: true } }, [write]);
    const forms = { elicitation: { form: {} } };
    const tokenOf = (name: string) => ({ authorization: `Bearer ${name}` });
    const asking = (name: string) => {
      const _meta = { [metaKeys.clientCapabilities]: forms };
      const params = { name: "notes_write", arguments: { path: name }, _meta };
      const [message, headers] = modern(1, "tools/call", params);
      return endpoint.post(message, { ...headers, ...tokenOf(name) });
    };
    const shown = (await (await asking("token-call-approve")).json()) as { result: object };
    expect(shown.result).toMatchObject({ resultType: "input_required" });

    const begun = await endpoint.post(initialize("2025-11-25", forms), tokenOf("token-call"));
    const session = { ...tokenOf("token-call"), "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
    const waiting = [
      asking("token-call"),
      endpoint.post(call(1, "notes_write", { path: "token-call" }), session),
    ];
    const { approvals } = endpoint.server.parts.gate;
    const open = async () => (await approvals.pending()).filter(({ input }) => input.path === "token-call");
    await vi.waitUntil(async () => (await open()).length === 2, { timeout: 30_000, interval: 10 });
    const yes = { action: "accept", content: { decision: "approve" } };
    for (const id of [1, 2, 3]) await endpoint.post({ jsonrpc: "2.0", id, result: yes }, session);
    expect(await open()).toHaveLength(2);

    for (const { id } of await open()) {
      const answer = (token: string) =>
        endpoint.server.ask(`/api/approvals/${id}/answer`, {
          method: "POST",
          headers: { "content-type": "application/json", ...tokenOf(token) },
          body: JSON.stringify({ decision: "approve" }),
        });
      expect((await answer("token-call")).status).toBe(403);
      expect((await answer("token-approve")).status).toBe(200);
    }
    for (const answered of await Promise.all(waiting))
      expect(await answered.json()).toMatchObject({ result: { content: [{ type: "text" }] } });
  });

  it("takes no yes for a call from a token that may do less by now than when the question was put", async () => {
    let held = principal("alice", ["call", "read", "approve"]);
    const tokens: TokenCheck = { find: () => held };
    const ran: string[] = [];
    const noted = { ...write, run: ({ path }: { path: string }) => ran.push(path) };
    endpoint = await openEndpoint({ tokens, mcp: { approveByElicitation: true } }, [noted]);
    const _meta = { [metaKeys.clientCapabilities]: { elicitation: { form: {} } } };
    const params = { name: "notes_write", arguments: { path: "a" }, _meta };
    const asked = await endpoint.post(...modern(1, "tools/call", params));
    const { result } = (await asked.json()) as {
      result: { requestState: string; inputRequests: Record<string, object> };
    };
    const yes = { action: "accept", content: { decision: "approve" } };
    const inputResponses = Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, yes]));
    const answer = async () => {
      const { requestState } = result;
      const said = await endpoint.post(
        ...modern(2, "tools/call", { ...params, requestState, inputResponses }),
      );
      return said.json();
    };
    const lesser = [
      principal("alice", ["call", "read"]),
      principal("alice", ["call", "approve"]),
      principal("alice", ["call", "read", "approve"], ["fs:read"]),
      principal("bob", ["call", "read", "approve"]),
    ];
    for (const now of lesser) {
      held = now;
      expect(await answer()).toMatchObject({ error: { code: -32602 } });
    }
    expect(ran).toEqual([]);
    held = principal("alice", ["call", "read", "approve"]);
    expect(await answer()).toMatchObject({ result: { resultType: "complete" } });
    expect(ran).toEqual(["a"]);
  });

  it.each([
    ["leaves the argument out", "place_show", {}],
    ["gives another argument", "place_show", { region: "us" }],
    ["hands a call on without the argument", "tools_call", { name: "place_show", arguments: {} }],
    ["hands a call on with another", "tools_call", { name: "place_show", arguments: { region: "us" } }],
    ["hands it on as text", "mcp_call", { tool: "place.show", arguments: '{"region":"us"}' }],
  ])("runs nothing that a header tells a proxy otherwise: a body that %s", async (_what, name, input) => {
    const ran: unknown[] = [];
    const place = placeTool(ran);
    endpoint = await openEndpoint({}, [place, toolsCall, mcpCall]);
    const [message, headers] = modern(1, "tools/call", { name, arguments: input });
    const answer = await endpoint.post(message, { ...headers, "mcp-param-region": "eu" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: rpcCodes.headerMismatch } });
    expect(ran).toEqual([]);
    // Who hands a call on need not know which headers its tool would want.
    const handed = { name: "tools_call", arguments: { name: "place_show", arguments: { region: "eu" } } };
    const [same, known] = modern(2, "tools/call", handed);
    for (const more of [{}, { "mcp-param-region": "eu" }])
      expect((await endpoint.post(same, { ...known, ...more })).status).toBe(200);
    expect(ran).toEqual([{ region: "eu" }, { region: "eu" }]);
  });

  it("takes an MCP header once only: two values would be joined into one that fits the body", async () => {
    const ran: unknown[] = [];
    const place = placeTool(ran);
    endpoint = await openEndpoint({}, [place]);
    const session = { "mcp-session-id": await endpoint.begin() };
    const input = { name: "place_show", arguments: { region: "eu, us" } };
    const [message, headers] = modern(1, "tools/call", input);
    const send = (body: object, more: Record<string, string | string[]>) =>
      ask(`${endpoint.server.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: "Bearer token-all",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...more,
        },
        body: JSON.stringify(body),
      });
    const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params: input };
    const answers = [
      await send(message, { ...headers, "mcp-param-region": ["eu", "us"] }),
      await send(message, {
        ...headers,
        "mcp-param-region": "eu, us",
        "Mcp-Name": ["place_show", "place_show"],
      }),
      await send(legacy, { ...session, "mcp-param-region": ["eu", "us"] }),
      await send(legacy, { ...session, "mcp-method": ["tools/call", "tools/list"] }),
      await send(legacy, { "MCP-Session-Id": [session["mcp-session-id"], session["mcp-session-id"]] }),
    ];
    expect(answers.map(({ status, text }) => [status, text.includes("given twice")])).toEqual(
      answers.map(() => [400, true]),
    );
    expect(ran).toEqual([]);
    expect((await send(message, { ...headers, "mcp-param-region": "eu, us" })).status).toBe(200);
    expect(ran).toHaveLength(1);
  });

  it("compares what an older client says in headers, although it need not say it", async () => {
    const ran: unknown[] = [];
    const place = placeTool(ran);
    endpoint = await openEndpoint({}, [place]);
    const session = { "mcp-session-id": await endpoint.begin() };
    const message = call(1, "place_show", { region: "eu" });
    for (const wrong of [
      { "mcp-name": "place_hide" },
      { "mcp-method": "tools/list" },
      { "mcp-param-region": "us" },
    ]) {
      const answer = await endpoint.post(message, { ...session, ...wrong });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: rpcCodes.headerMismatch } });
    }
    expect(ran).toEqual([]);
    const right = { "mcp-name": "place_show", "mcp-method": "tools/call", "mcp-param-region": "eu" };
    expect((await endpoint.post(message, { ...session, ...right })).status).toBe(200);
    expect((await endpoint.post(call(2, "place_show", { region: "eu" }), session)).status).toBe(200);
    expect(ran).toHaveLength(2);
  });

  it("repeats no id and no progress token of megabytes, in neither era", async () => {
    endpoint = await openEndpoint();
    const session = { "mcp-session-id": await endpoint.begin() };
    const long = "t".repeat(1_000_000);
    const sum = { name: "math_add", arguments: { a: 1, b: 2 } };
    const withToken = { ...sum, _meta: { progressToken: long } };
    const answers = [
      await endpoint.post(call(long, "math_add", { a: 1, b: 2 }), session),
      await endpoint.post({ ...initialize("2025-11-25"), id: long }),
      await endpoint.post(...modern(long, "tools/call", sum)),
      await endpoint.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: withToken }, session),
      await endpoint.post(...modern(1, "tools/call", withToken)),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text.length).toBeLessThan(500);
      expect(JSON.parse(text)).toHaveProperty("error.message");
    }
  });
});
