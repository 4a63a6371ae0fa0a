import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createGate, openStore } from "../../../../../src/index.ts";
import { eventData } from "../../../../../src/surfaces/rest/schemas/events.ts";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  testTokens,
} from "../../../../http-server.ts";
import { add, write } from "../../../../tools.ts";
import { createApi, expectFit } from "../../http/api.ts";
import { type ReadEvent, readEvents } from "../../http/read-events.ts";

const open: TestServer[] = [];
async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const server = await startTestServer({ routes: allRoutes, gate: { tools: [add, write] }, ...options });
  open.push(server);
  return server;
}
const leavers: (() => void)[] = [];
let shared: TestServer;
beforeAll(async () => {
  shared = await start();
  open.splice(0);
});
afterAll(() => shared.close());
afterEach(async () => {
  for (const leave of leavers.splice(0)) leave();
  for (const server of open.splice(0)) await server.close({ drainMs: 200 });
});

interface Listening {
  readonly events: ReadEvent[];
  readonly ended: Promise<void>;
  until(kind: string, count?: number): Promise<ReadEvent>;
  leave(): void;
}

/** Listens from when the server has said where it stands. */
async function listen(server: TestServer, lastEventId?: string, query = ""): Promise<Listening> {
  const leaving = new AbortController();
  const response = await server.ask(`/api/events${query}`, {
    headers: {
      authorization: "Bearer token-read",
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  leavers.push(() => leaving.abort());
  const events: ReadEvent[] = [];
  const read = async () => {
    for await (const event of readEvents(response)) {
      events.push(event);
      const schema = eventData[event.kind as keyof typeof eventData];
      expectFit(event.data, schema, event.kind);
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    events,
    ended,
    async until(kind, count = 1) {
      for (;;) {
        const found = events.filter((event) => event.kind === kind)[count - 1];
        if (found !== undefined) return found;
        await sleep(5);
      }
    },
    leave: () => leaving.abort(),
  };
}

const tick = (server: TestServer, message: string) =>
  server.parts.gate.events.emit("task-cancel", { sessionId: undefined, hook: "h", message });

describe("events over HTTP", () => {
  it("tell of calls, approvals, tools and rules, in order and without what was given or what came back", async () => {
    const server = shared;
    const api = createApi(server);
    const listening = await listen(server);
    await listening.until("ready");
    await api.post("/api/tools/math.add/call", { input: { a: 12345, b: 0 }, sessionId: "s" });
    const input = { path: "p", content: "inside" };
    const asked = api.post("/api/tools/notes.write/call", { input }, { token: "token-call" });
    const { data } = await listening.until("approval-request");
    expect(data).toMatchObject({ tool: "notes.write", caller: "token-call" });
    await api.post(`/api/approvals/${data.id}/answer`, { decision: "deny", reason: "no" });
    await asked;
    await listening.until("approval-answer");
    await listening.until("call-end", 2);
    await api.post("/api/categories/web/enable");
    await server.parts.gate.setRules({});
    await listening.until("rules-change");
    const kinds = listening.events.map(({ kind }) => kind);
    expect(kinds.slice(0, 5)).toEqual(["ready", "call-start", "call-end", "call-start", "approval-request"]);
    const answer = listening.events.find(({ kind }) => kind === "approval-answer")?.data;
    expect(answer).toMatchObject({ id: data.id, state: "denied", by: "token-all" });
    expect(kinds.slice(-2)).toEqual(["tools-change", "rules-change"]);
    const told = JSON.stringify(listening.events);
    expect(told).not.toContain("12345");
    expect(told).not.toContain("inside");
  });

  it("hold no secrets that a message may have carried", async () => {
    const server = shared;
    const listening = await listen(server);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    tick(server, `it said token ${secret} and more`);
    const { data } = await listening.until("task-cancel");
    expect(data.message).toContain("redacted");
    expect(data.message).not.toContain(secret);
  });

  it("tell within seconds that a question has ended because its process was killed", async () => {
    const server = await start();
    const listening = await listen(server);
    const program = fileURLToPath(new URL("../../../stores/sqlite/dying-process.ts", import.meta.url));
    const child = spawn(process.execPath, [program, server.stateFolder], { stdio: "ignore" });
    leavers.push(() => void child.kill("SIGKILL"));
    const told = (wanted: string) =>
      listening.events.find(({ kind, data }) => kind === wanted && data.id === "pending")?.data;
    await expect.poll(() => told("approval-request")).toBeDefined();
    // Everything that rings the bell is behind us: only looking can find it.
    await sleep(500);
    child.kill("SIGKILL");
    await expect.poll(() => told("approval-answer")).toMatchObject({ state: "withdrawn" });
  });

  it("tell of questions and answers in other processes that share the store", async () => {
    const server = shared;
    const listening = await listen(server);
    await using store = await openStore({ stateFolder: server.stateFolder });
    const other = await createGate({ store, tools: [write], approver: "desk", roots: [server.folder] });
    const outcome = other.dispatch({ tool: "notes.write", input: { path: "x" } });
    const { data } = await listening.until("approval-request");
    expect(data).toMatchObject({ tool: "notes.write", caller: "local" });
    await createApi(server).post(`/api/approvals/${data.id}/answer`, { decision: "approve" });
    expect((await outcome).ok).toBe(true);
    const answer = (await listening.until("approval-answer")).data;
    expect(answer).toMatchObject({ state: "approved", by: "token-all" });
    await other.close();
  });

  it("are missed by nobody who comes back with the last id, however often, under load", async () => {
    const server = shared;
    const total = 1_500;
    const seen: string[] = [];
    /** What other gates do is told, too. */
    const ownEnds = ({ events }: Listening) =>
      events.filter(({ kind, data }) => kind === "call-end" && data.surface === undefined);
    const before = await listen(server);
    let lastId = (await before.until("ready")).id;
    before.leave();
    let done = false;
    const calls = (async () => {
      const ids: string[] = [];
      for (let number = 0; number < total; number += 10) {
        const some = Array.from({ length: 10 }, () =>
          server.parts.gate.dispatch({ tool: "math.add", input: { a: number, b: 1 } }),
        );
        ids.push(...(await Promise.all(some)).map(({ callId }) => callId));
      }
      done = true;
      return ids;
    })();
    let connections = 0;
    while (!done || seen.length < total) {
      const listening = await listen(server, lastId, "?kinds=call-end");
      connections++;
      const enough = Math.min(total, seen.length + 100);
      while (seen.length + ownEnds(listening).length < enough) await sleep(2);
      listening.leave();
      await listening.ended;
      expect(listening.events.filter(({ kind }) => kind === "reset")).toEqual([]);
      seen.push(...ownEnds(listening).map(({ data }) => data.callId));
      lastId = listening.events.at(-1)?.id ?? lastId;
    }
    expect(connections).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted()).toEqual((await calls).toSorted());
  });

  it("begin with a reset when the client was away too long, or comes from before a restart", async () => {
    const server = await start({ feed: { maxEvents: 10 } });
    const first = await listen(server);
    const { id } = await first.until("ready");
    first.leave();
    for (let number = 0; number < 30; number++) tick(server, "x");
    const late = await listen(server, id);
    const reset = await late.until("reset");
    expect(reset.data).toMatchObject({ reason: "too_old", lastEventId: id });
    expect(late.events).toHaveLength(1);
    // From its id on, nothing is missed again.
    late.leave();
    tick(server, "after the reset");
    const next = await listen(server, reset.id);
    expect((await next.until("task-cancel")).data.message).toBe("after the reset");

    const back = await listen(shared, id);
    expect((await back.until("reset")).data.reason).toBe("restarted");
  });

  it("let a client go that does not read, while others miss nothing", async () => {
    const server = await start({ limits: { sendTimeoutMs: 300 }, feed: { maxEvents: 2_000 } });
    const { port } = new URL(server.url);
    const stuck = connect(Number(port), "127.0.0.1");
    stuck.on("error", () => {});
    stuck.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer token-read\r\n\r\n`,
    );
    stuck.pause();
    const reader = await listen(server);
    while (server.parts.feed.clients < 2) await sleep(5);
    let sent = 0;
    // More than sockets hold, as fast as the reader takes it.
    while (server.parts.feed.clients === 2) {
      for (let number = 0; number < 500; number++) tick(server, `${sent++} ${"x".repeat(490)}`);
      while (reader.events.length <= sent - 1_000) await turn();
      expect(sent).toBeLessThan(200_000);
    }
    tick(server, "the last");
    await reader.until("task-cancel", sent + 1);
    const numbers = reader.events.slice(1).map(({ data }) => Number.parseInt(data.message, 10));
    expect(numbers.slice(0, sent)).toEqual(Array.from({ length: sent }, (_, number) => number));
    stuck.destroy();
  });

  it("beat while nothing happens, and keep a filtered client's place", async () => {
    const server = await start({ feed: { heartbeatMs: 20 } });
    const listening = await listen(server, undefined, "?kinds=rules-change");
    const { id } = await listening.until("ready");
    for (let number = 0; number < 5; number++) tick(server, "not wanted");
    await sleep(60);
    await server.parts.gate.setRules({});
    const change = await listening.until("rules-change");
    expect(listening.events.map(({ kind }) => kind)).toEqual(["ready", "rules-change"]);
    expect(Number(change.id?.split("-")[1])).toBe(Number(id?.split("-")[1]) + 6);
  });

  it("of one session only, where the client asks for that", async () => {
    const server = shared;
    const api = createApi(server);
    const listening = await listen(server, undefined, "?session=mine");
    for (const sessionId of ["mine", "other", "mine"])
      await api.post("/api/tools/math.add/call", { input: { a: 1, b: 1 }, sessionId });
    await listening.until("call-end", 2);
    expect(listening.events.filter(({ kind }) => kind === "call-start")).toHaveLength(2);
  });

  it("are for so many clients and no more, and a place is free again when one leaves", async () => {
    const server = await start({ feed: { maxClients: 2 } });
    const first = await listen(server);
    await listen(server);
    while (server.parts.feed.clients < 2) await sleep(5);
    const refused = await createApi(server).get("/api/events", { token: "token-read" });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("10");
    first.leave();
    while (server.parts.feed.clients > 1) await sleep(5);
    await listen(server);
  });

  it("count as watched by those who see every question and may answer it", async () => {
    const server = await start();
    const { feed } = server.parts;
    const watch = async (token: string, query = "") => {
      const leaving = new AbortController();
      leavers.push(() => leaving.abort());
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await server.ask(`/api/events${query}`, { headers, signal: leaving.signal });
      expect(status).toBe(200);
      return leaving;
    };
    await watch("token-read");
    await watch("token-all", "?kinds=call-end");
    await watch("token-all", "?session=s1");
    while (feed.clients < 3) await sleep(5);
    expect(feed.answerers).toBe(0);
    const person = await watch("token-all", "?kinds=call-end&kinds=approval-request");
    while (feed.answerers < 1) await sleep(5);
    person.abort();
    while (feed.answerers > 0) await sleep(5);
    expect(feed.clients).toBe(3);
  });

  it("end when the token is revoked, whether anything happens or not", async () => {
    let revoked = false;
    const server = await start({
      feed: { heartbeatMs: 20 },
      tokens: { find: (token) => (revoked ? undefined : testTokens.find(token)) },
    });
    const quiet = await listen(server, undefined, "?kinds=rules-change");
    const busy = await listen(server);
    await Promise.all([quiet.until("ready"), busy.until("ready")]);
    await sleep(60);
    expect(server.parts.feed.clients).toBe(2);
    revoked = true;
    while (server.parts.feed.clients > 0) {
      tick(server, "x");
      await sleep(2);
    }
    await Promise.all([quiet.ended, busy.ended]);
  });

  it("need the right to read, and end when the server ends", async () => {
    const server = await start();
    expect((await createApi(server).get("/api/events", { token: "token-call" })).status).toBe(403);
    const listening = await listen(server);
    open.splice(0);
    await server.close();
    await listening.ended;
    expect(server.parts.feed.clients).toBe(0);
  });
});

describe("a client of a busy server", () => {
  it("gets a summary of what was left out, and every refusal", async () => {
    const server = await start();
    const listening = await listen(server, undefined, "?rate=5");
    const { gate } = server.parts;
    const call = (at: number) =>
      at % 20 === 0 ? { tool: "no.such", input: {} } : { tool: "math.add", input: { a: 1, b: at } };
    await Promise.all(Array.from({ length: 200 }, (_, at) => gate.dispatch(call(at))));
    const summary = await listening.until("summary");
    const ends = listening.events.filter(({ kind }) => kind === "call-end");
    expect(ends.filter(({ data }) => data.code === "unknown_tool")).toHaveLength(10);
    const sent = ends.filter(({ data }) => data.ok).length;
    expect(sent).toBeLessThan(12);
    expect(summary.data).toMatchObject({ left: 190 - sent, tools: [{ tool: "math.add" }] });
    expect(summary.data.p95Ms).toBeGreaterThanOrEqual(summary.data.p50Ms);
  });

  it("chooses by tool, caller and verdict on the server", async () => {
    const server = await start();
    const refused = await listen(server, undefined, "?verdict=deny&kinds=call-end");
    const ofTool = await listen(server, undefined, "?tool=math.*&kinds=call-end");
    const ofCaller = await listen(server, undefined, "?caller=ann&kinds=call-start&kinds=call-end");
    const { gate } = server.parts;
    await gate.dispatch({ tool: "math.add", input: { a: 1, b: 2 } });
    await gate.dispatch({ tool: "no.such", input: {}, caller: { id: "ann", capabilities: ["*"] } });
    expect((await refused.until("call-end")).data).toMatchObject({ tool: "no.such", verdict: "deny" });
    expect((await ofTool.until("call-end")).data).toMatchObject({ tool: "math.add", verdict: "allow" });
    expect((await ofCaller.until("call-end")).data).toMatchObject({ tool: "no.such", caller: "ann" });
    expect(refused.events.filter(({ kind }) => kind === "call-end")).toHaveLength(1);
    expect(ofCaller.events.filter(({ kind }) => kind === "call-start")).toHaveLength(1);
  });

  it("hears of calls that other processes ran or judged, and of its own gate's calls once", async () => {
    const server = await start();
    const listening = await listen(server, undefined, "?kinds=call-end");
    const other = await openStore({ stateFolder: server.stateFolder });
    const gate = await createGate({ store: other, tools: [add] });
    // The first look finds where the ledger ends.
    await sleep(700);
    await gate.check({ tool: "Bash", input: { command: "ls" }, sessionId: "s-1", surface: "hook" });
    await server.parts.gate.dispatch({ tool: "math.add", input: { a: 1, b: 2 } });
    const ends = () => listening.events.filter(({ kind }) => kind === "call-end").map(({ data }) => data);
    await expect.poll(ends).toHaveLength(2);
    await sleep(1_100);
    expect(ends()).toHaveLength(2);
    const theirs = ends().find(({ tool }) => tool === "shell.exec");
    expect(theirs).toMatchObject({ sessionId: "s-1", surface: "hook", verdict: "abstain" });
    await gate.close();
    await other.close();
  });
});
