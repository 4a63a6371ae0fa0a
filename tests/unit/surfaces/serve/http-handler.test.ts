import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createGate,
  createHttpHandler,
  createMemoryLedger,
  createSessions,
  defineTool,
  type Gate,
  type GateOptions,
  type HttpHandler,
  type HttpHandlerOptions,
  openStore,
} from "../../../../src/index.ts";
import { giveToken, revokeTokens } from "../../../../src/surfaces/http/tokens/give-token.ts";
import { ask as askRaw } from "../../../raw-http.ts";
import { add, write } from "../../../tools.ts";
import { scriptedRunner } from "../../sessions/scripted-runner.ts";
import { readEvents } from "../http/read-events.ts";

const secret = (name: string) => `${name}-${"x".repeat(32)}`;
const tokens = [
  { token: secret("all"), name: "all", rights: ["call", "read", "approve", "admin"] as const },
  { token: secret("read"), name: "reader", rights: ["read"] as const },
  { token: secret("old"), name: "old", rights: ["call"] as const, expiresAt: "2020-01-01T00:00:00Z" },
];
const bearer = (name = "all") => ({ authorization: `Bearer ${secret(name)}` });
const json = { "content-type": "application/json" };
const posted = (body: unknown = {}, headers: Record<string, string> = bearer(), more: RequestInit = {}) => ({
  method: "POST",
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
  ...more,
});

/** A store in a folder of its own. */
async function storeOfTest() {
  const stateFolder = mkdtempSync(join(tmpdir(), "toolgate-handler-"));
  const store = await openStore({ stateFolder });
  onTestFinished(async () => {
    await store.close();
    rmSync(stateFolder, { recursive: true, force: true });
  });
  return store;
}

interface Mounted {
  readonly gate: Gate;
  readonly handler: HttpHandler;
  readonly broken: string[];
}

async function mount(gateOptions: GateOptions, options: Partial<HttpHandlerOptions> = {}): Promise<Mounted> {
  const gate = await createGate(gateOptions);
  const broken: string[] = [];
  const onBroken = (message: string) => void broken.push(message);
  const handler = await createHttpHandler(gate, { prefix: "/toolgate", tokens, onBroken, ...options });
  onTestFinished(async () => {
    await handler.close({ drainMs: 0 });
    await gate.close();
  });
  return { gate, handler, broken };
}

/** A server of somebody else; answers its address. */
async function listen(onRequest: RequestListener): Promise<string> {
  const server = createServer(onRequest);
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close(() => {}).closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The same requests through both doors. */
const doors: [
  string,
  (mounted: Mounted) => Promise<(path: string, init?: RequestInit) => Promise<Response>>,
][] = [
  [
    "node:http",
    async ({ handler }) => {
      const url = await listen(handler.node);
      return (path, init) => fetch(url + path, init);
    },
  ],
  [
    "fetch",
    async ({ handler }) =>
      (path, init) =>
        handler.fetch(new Request(`http://localhost:3000${path}`, init)),
  ],
];

function hanging() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const tool = defineTool({
    id: "test.hold",
    description: "Waits.",
    permission: "read",
    input: { type: "object" },
    async run(_input, { signal }) {
      begin();
      signal.addEventListener("abort", () => cancel());
      await Promise.race([free, cancelled]);
      return "done";
    },
  });
  return { tool, begun, cancelled, release };
}

describe.each(doors)("a gate mounted into a server of %s", (_name, open) => {
  it("lists and calls tools below its prefix", async () => {
    const mounted = await mount({ tools: [add] });
    const ask = await open(mounted);
    const list = await ask("/toolgate/api/tools", { headers: bearer() });
    expect(await list.json()).toMatchObject({ tools: [{ name: "math.add", callable: true }] });
    const call = await ask("/toolgate/api/tools/math_add/call", posted({ input: { a: 1, b: 2 } }));
    expect(call.status).toBe(200);
    expect(await call.json()).toMatchObject({ ok: true, result: { content: [{ text: "3" }] } });
    expect(call.headers.get("x-content-type-options")).toBe("nosniff");
    const openapi = await ask("/toolgate/api/openapi.json", { headers: bearer() });
    expect(await openapi.json()).toMatchObject({ servers: [{ url: "/toolgate" }] });
    expect((await ask("/api/tools", { headers: bearer() })).status).toBe(404);
    expect((await ask("/toolgatex/api/tools", { headers: bearer() })).status).toBe(404);
    expect(mounted.broken).toEqual([]);
  });

  it("streams a call's progress as events", async () => {
    const steps = defineTool({
      id: "test.steps",
      description: "Steps.",
      permission: "read",
      input: { type: "object" },
      run: (_input, { progress }) => {
        progress({ message: "half" });
        return "done";
      },
    });
    const ask = await open(await mount({ tools: [steps] }));
    const headers = { ...bearer(), accept: "text/event-stream" };
    const response = await ask("/toolgate/api/tools/test.steps/call", posted({}, headers));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const text = await response.text();
    expect(text).toMatch(/event: progress\n.*half[\s\S]*event: outcome\n.*done/);
  });

  it("speaks MCP", async () => {
    const ask = await open(await mount({ tools: [add] }));
    const transport = new StreamableHTTPClientTransport(new URL("http://localhost:3000/toolgate/mcp"), {
      fetch: (url, init) => ask(new URL(url).pathname, init),
      requestInit: { headers: bearer() },
    });
    const client = new Client({ name: "c", version: "1" });
    await client.connect(transport as never);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["math_add"]);
    const result = await client.callTool({ name: "math_add", arguments: { a: 2, b: 2 } });
    expect(result.content).toEqual([{ type: "text", text: "4" }]);
    await client.close();
  });

  it("lets nobody in without a token, and nobody do what the token does not allow; that is on record", async () => {
    const ledger = createMemoryLedger();
    const ask = await open(await mount({ tools: [add], ledger }));
    const call = (headers: Record<string, string>) =>
      ask("/toolgate/api/tools/math.add/call", posted({}, headers));
    expect((await call({})).status).toBe(401);
    expect((await call(bearer("old"))).status).toBe(401);
    expect((await call({ authorization: "Bearer wrong" })).status).toBe(401);
    expect((await call(bearer("read"))).status).toBe(403);
    expect(ledger.records()).toMatchObject([{ caller: "reader", ok: false, code: "missing_capability" }]);
  });

  it("asks the program about tokens that it does not know", async () => {
    const findToken = async (token: string) =>
      token === "session-1"
        ? { caller: { id: "ann", capabilities: ["*"] }, rights: ["read" as const] }
        : undefined;
    const mounted = await mount({ tools: [add] }, { findToken });
    const ask = await open(mounted);
    const me = (token: string) => ask("/toolgate/api/me", { headers: { authorization: `Bearer ${token}` } });
    expect(await (await me("session-1")).json()).toMatchObject({ caller: "ann", rights: ["read"] });
    expect((await me("session-2")).status).toBe(401);
    expect((await me(secret("all"))).status).toBe(200);
    const wrong = await open(await mount({}, { findToken: (() => ({ caller: "ann" })) as never }));
    expect((await wrong("/toolgate/api/me", { headers: { authorization: "Bearer x" } })).status).toBe(500);
  });

  it("lets rules know the rights of those whom the program knows", async () => {
    const findToken = (token: string) =>
      token === "caller" || token === "admin"
        ? { caller: { id: "ann", capabilities: ["*"] }, rights: ["call" as const, ...adminOf(token)] }
        : undefined;
    const adminOf = (token: string) => (token === "admin" ? (["admin"] as const) : []);
    const policies = [
      { name: "all", tools: "*", action: "approve" as const },
      { name: "no-admins", tools: "*", action: "deny" as const, caller: { right: "admin" as const } },
    ];
    const ask = await open(await mount({ tools: [add], policies }, { findToken }));
    const call = async (token: string) => {
      const request = posted({ input: { a: 1, b: 2 } }, { authorization: `Bearer ${token}` });
      return (await ask("/toolgate/api/tools/math.add/call", request)).json();
    };
    expect(await call("caller")).toMatchObject({ ok: true });
    expect(await call("admin")).toMatchObject({ ok: false, error: { rule: { name: "no-admins" } } });
  });

  it("cancels a call whose client is gone", async () => {
    const { tool, begun, cancelled } = hanging();
    const ask = await open(await mount({ tools: [tool] }));
    const leaving = new AbortController();
    const request = posted({}, bearer(), { signal: leaving.signal });
    const call = ask("/toolgate/api/tools/test.hold/call", request);
    await begun;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await cancelled;
  });

  it("finishes what runs when it is closed, takes nothing new, and leaves the gate open", async () => {
    const { tool, begun, release } = hanging();
    const mounted = await mount({ tools: [tool, add] });
    const ask = await open(mounted);
    const call = ask("/toolgate/api/tools/test.hold/call", posted());
    await begun;
    const closing = mounted.handler.close({ drainMs: 5_000 });
    expect((await ask("/toolgate/api/tools", { headers: bearer() })).status).toBe(503);
    release();
    expect((await call).status).toBe(200);
    expect(await closing).toEqual({ cancelled: 0 });
    expect((await mounted.gate.call(add, { a: 1, b: 1 })).ok).toBe(true);
  });

  it("has approvals, the ledger and events with the gate's store", async () => {
    const store = await storeOfTest();
    const asker = { token: secret("asker"), name: "asker", rights: ["call"] as const };
    const ask = await open(
      await mount({ tools: [write], store, approver: "desk" }, { store, tokens: [...tokens, asker] }),
    );
    const request = posted({ input: { path: "a" } }, bearer("asker"));
    const call = ask("/toolgate/api/tools/notes.write/call", request);
    const events = await ask("/toolgate/api/events", { headers: bearer() });
    const reader = (events.body as ReadableStream<Uint8Array>).getReader();
    let told = "";
    while (!told.includes("approval-request")) told += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    const list = (await (await ask("/toolgate/api/approvals", { headers: bearer() })).json()) as {
      approvals: { id: string }[];
    };
    const path = `/toolgate/api/approvals/${list.approvals[0]?.id}/answer`;
    const answer = await ask(path, posted({ decision: "approve" }));
    expect(answer.status).toBe(200);
    expect(await (await call).json()).toMatchObject({ ok: true, approval: { by: "all" } });
    const ledger = await ask("/toolgate/api/ledger?kinds=completion", { headers: bearer() });
    expect(await ledger.json()).toMatchObject({ entries: [{ tool: "notes.write" }] });
    expect((await ask("/toolgate/api/health/ready")).status).toBe(200);
  });

  it("has no ledger and no approvals without one", async () => {
    const ask = await open(await mount({ tools: [add] }));
    for (const path of ["approvals", "grants", "ledger", "events", "status", "upstreams"])
      expect((await ask(`/toolgate/api/${path}`, { headers: bearer() })).status).toBe(404);
    for (const path of ["tools", "categories", "routes", "policies", "limits", "hooks", "me", "health/live"])
      expect((await ask(`/toolgate/api/${path}`, { headers: bearer() })).status).toBe(200);
  });

  it("may serve one of the two alone", async () => {
    const withoutRest = await open(await mount({}, { rest: false }));
    expect((await withoutRest("/toolgate/api/tools", { headers: bearer() })).status).toBe(404);
    const withoutMcp = await open(await mount({}, { mcp: false }));
    expect((await withoutMcp("/toolgate/mcp", posted())).status).toBe(404);
  });
});

describe("the names of a server that a gate is mounted into", () => {
  const hosts = ["gate.example.com"];
  it.for([
    [{ host: "localhost:PORT" }, 200],
    [{ host: "gate.example.com" }, 200],
    [{ host: "evil.example" }, 403],
    [{ host: "localhost:1" }, 403],
    [{ host: "localhost:PORT", origin: "http://localhost:PORT" }, 200],
    [{ host: "localhost:PORT", origin: "https://app.example.com" }, 200],
    [{ host: "localhost:PORT", origin: "http://localhost:1" }, 403],
    [{ host: "localhost:PORT", "sec-fetch-site": "cross-site" }, 403],
  ] as const)(
    "are those of this machine at its port, and those that were given: %j: %i",
    async ([given, status]) => {
      const { handler } = await mount({}, { hosts, origins: ["https://app.example.com"] });
      const url = await listen(handler.node);
      const headers = JSON.parse(JSON.stringify(given).replaceAll("PORT", new URL(url).port));
      expect((await askRaw(`${url}/toolgate/api/health/live`, { headers })).status).toBe(status);
    },
  );

  it.for([
    ["http://localhost:3000", {}, 200],
    ["https://gate.example.com", {}, 200],
    ["http://evil.example:3000", {}, 403],
    ["http://localhost:3000", { host: "evil.example" }, 403],
    ["http://localhost:3000", { origin: "http://localhost:1" }, 403],
    ["http://localhost:3000", { origin: "http://localhost:3000" }, 200],
  ] as const)("are the same for a server of fetch: %s %j: %i", async ([url, headers, status]) => {
    const { handler } = await mount({}, { hosts });
    const request = new Request(`${url}/toolgate/api/health/live`, { headers });
    expect((await handler.fetch(request)).status).toBe(status);
  });
});

describe("a handler among others", () => {
  it("hands on what is not below its prefix", async () => {
    const { handler } = await mount({ tools: [add] });
    const url = await listen((request, response) =>
      handler.node(request, response, () => void response.end("somebody else")),
    );
    expect(await (await fetch(`${url}/other`)).text()).toBe("somebody else");
    expect(await (await fetch(`${url}/toolgatex`)).text()).toBe("somebody else");
    expect((await fetch(`${url}/toolgate/api/tools`, { headers: bearer() })).status).toBe(200);
  });

  it("says so when somebody has read the body before", async () => {
    const { handler } = await mount({ tools: [add] });
    const url = await listen(async (request, response) => {
      for await (const _ of request);
      handler.node(request, response);
    });
    const call = await fetch(`${url}/toolgate/api/tools/math.add/call`, posted({ input: { a: 1, b: 2 } }));
    expect(call.status).toBe(500);
    expect(await call.json()).toMatchObject({ hint: expect.stringContaining("express.json()") });
  });

  it("takes back a token of the store at once", async () => {
    const store = await storeOfTest();
    const { token } = await giveToken(store.tokens, { name: "ci", rights: ["read"] });
    const { handler } = await mount({ store }, { store, tokens: [] });
    const headers = { authorization: `Bearer ${token}` };
    const url = "http://localhost/toolgate/api/me";
    const me = async () => (await handler.fetch(new Request(url, { headers }))).status;
    expect(await me()).toBe(200);
    await revokeTokens(store.tokens, ["ci"]);
    // Requests that come in the same moment share one look at the list.
    await setImmediate();
    expect(await me()).toBe(401);
  });
});

describe("wrong options of a handler", () => {
  const token = { token: secret("a"), name: "a", rights: ["call"] as const };
  it.each<[string, object, RegExp]>([
    ["nobody who may come in", {}, /needs somebody who may come in/],
    ["a short token", { tokens: [{ ...token, token: "short" }] }, /tokens\[0\]\.token must be a text of 32/],
    [
      "a reserved name",
      { tokens: [{ ...token, name: "owner" }] },
      /tokens\[0\]\.name: "owner" is toolgate's own/,
    ],
    [
      "an unknown right",
      { tokens: [{ ...token, rights: ["all"] }] },
      /tokens\[0\]\.rights must be a list of call/,
    ],
    [
      "a misspelt option",
      { tokens: [token], host: [] },
      /createHttpHandler has no option "host"; did you mean "hosts"/,
    ],
    ["a prefix with a slash at its end", { tokens: [token], prefix: "/a/" }, /prefix must be a path/],
    ["an origin with a path", { tokens: [token], origins: ["https://a.b/c"] }, /origins must be a list/],
    ["a limit of nothing", { tokens: [token], limits: { maxInFlight: 0 } }, /limits\.maxInFlight must be/],
    ["another gate's store", { store: { ledger: {} } }, /store must be the gate's own/],
  ])("%s", async (_what, options, message) => {
    const gate = await createGate();
    await expect(createHttpHandler(gate, options as never)).rejects.toThrow(message);
    await gate.close();
  });
});

describe("sessions behind a handler of one's own", () => {
  it("are started and followed", async () => {
    const gate = await createGate({});
    const runner = scriptedRunner(async ({ prompt }) => `heard ${prompt}`);
    await using sessions = await createSessions(gate, { runners: [runner], roots: [realpathSync(tmpdir())] });
    await using handler = await createHttpHandler(gate, { sessions, tokens });
    const ask = (path: string, init: RequestInit = { headers: bearer() }) =>
      handler.fetch(new Request(`http://127.0.0.1${path}`, init));
    const started = await ask("/api/sessions", posted({ prompt: "hello", mode: "plan", single: true }));
    expect(started.status).toBe(201);
    const { id, owner } = (await started.json()) as { id: string; owner: string };
    expect(owner).toBe("all");
    const said: string[] = [];
    for await (const { kind, data } of readEvents(await ask(`/api/sessions/${id}/events`))) {
      if (kind === "message") said.push(data.text);
      if (kind === "completed") break;
    }
    expect(said).toEqual(["hello", "heard hello"]);
  });

  it("are refused if they are none", async () => {
    const options = { sessions: {} as never, tokens };
    await expect(createHttpHandler(await createGate({}), options)).rejects.toThrow(
      "what createSessions made",
    );
  });
});
