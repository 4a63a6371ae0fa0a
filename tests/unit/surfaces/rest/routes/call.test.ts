import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../../../src/index.ts";
import { add, createGatedTool, write } from "../../../../tools.ts";
import { useServer } from "../../http/api.ts";
import { readEvents } from "../../http/read-events.ts";

const slow = createGatedTool();
const counting = defineTool({
  id: "count.up",
  description: "Counts.",
  permission: "read",
  input: z.object({ to: z.number() }),
  run: ({ to }, { progress }) => {
    for (let done = 1; done <= to; done++)
      progress({ message: `token=sk-ant-api03-${"x".repeat(40)}`, done, total: to });
    return "counted";
  },
});

/** Ends when as many calls of it run as it was told: alone it would wait for ever. */
let together = Promise.withResolvers<void>();
let running = 0;
const meeting = defineTool({
  id: "meet.others",
  description: "Waits for the others.",
  permission: "write",
  input: z.object({ count: z.number() }),
  run: async ({ count }) => {
    if (++running >= count) together.resolve();
    await together.promise;
    running--;
    return "met";
  },
});

describe("a call over HTTP", () => {
  const { server, api } = useServer({
    gate: {
      tools: [add, write, slow.tool, counting, meeting],
      policies: [
        { name: "no-writing", tools: "notes.write", action: "deny", reason: "Not here." },
        { name: "meeting", tools: "meet.others", action: "approve" },
      ],
      limits: [{ name: "few", tools: "math.add", max: 3, windowMs: 60_000, per: "session" }],
    },
  });

  it("answers what the tool answered and leaves a record with the token's caller and the surface", async () => {
    const ids = { sessionId: "s1", toolUseId: "use-1" };
    const call = { input: { a: 2, b: 3 }, ...ids };
    const { status, body } = await api.post("/api/tools/math.add/call", call, { token: "token-call" });
    expect(status).toBe(200);
    const result = { content: [{ type: "text", text: "5" }], isError: false };
    expect(body).toMatchObject({ ok: true, tool: "math.add", result });
    const [entry] = await server.parts.store.ledger.show(body.callId);
    expect(entry?.body).toMatchObject({ caller: "token-call", surface: "http", ...ids });
  });

  it("that names no session runs beside the caller's other calls, writers too", async () => {
    const calls = [1, 2, 3].map(() => api.post("/api/tools/meet.others/call", { input: { count: 3 } }));
    for (const { body } of await Promise.all(calls)) expect(body).toMatchObject({ ok: true });
  });

  it("that names its session takes its turn there", async () => {
    together = Promise.withResolvers();
    const body = { input: { count: 2 }, sessionId: "meeting" };
    const calls = [1, 2].map(() => api.post("/api/tools/meet.others/call", body));
    await expect.poll(() => running).toBe(1);
    const first = await Promise.race([...calls, sleep(300).then(() => "waits")]);
    expect([first, running]).toEqual(["waits", 1]);
    together.resolve();
    for (const { body } of await Promise.all(calls)) expect(body).toMatchObject({ ok: true });
  });

  it("that the gate refuses is a 200 that says no, with stage, rule and hint", async () => {
    const { status, body } = await api.post("/api/tools/notes.write/call", { input: { path: "a" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      error: { code: "policy_denied", stage: "permit", rule: { kind: "policy", name: "no-writing" } },
    });
  });

  it("with a wrong input is a 200 that names the field", async () => {
    const { status, body } = await api.post("/api/tools/math.add/call", { input: { a: "two" } });
    expect(status).toBe(200);
    expect(body.error.code).toBe("invalid_input");
    expect(body.error.issues.map(({ path }: { path: string }) => path)).toContain("$.a");
  });

  it("over a limit is a 200 that says how long to wait", async () => {
    const call = () => api.post("/api/tools/math.add/call", { input: { a: 1, b: 1 }, sessionId: "busy" });
    for (let time = 0; time < 3; time++) expect((await call()).body.ok).toBe(true);
    const { body } = await call();
    expect(body.error.code).toBe("rate_limited");
    expect(body.error.retryAfterMs).toBeGreaterThan(0);
  });

  it("of an unknown tool is a 404, and recorded all the same", async () => {
    const { status, body } = await api.post("/api/tools/math.ad/call", { input: {}, sessionId: "lost" });
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: "unknown_tool", stage: "resolve" });
    const events = await server.ask("/api/tools/math.ad/call", {
      method: "POST",
      headers: { authorization: "Bearer token-all", accept: "text/event-stream" },
    });
    expect(events.status).toBe(404);
    const { entries } = await server.parts.store.ledger.query({ session: "lost" });
    expect(entries[0]?.body.code).toBe("unknown_tool");
  });

  it("takes no other fields than it knows, no list as input, no other body than JSON", async () => {
    for (const wrong of [{ input: { a: 1, b: 2 }, caller: "root" }, { input: [1] }, { mode: "yolo" }])
      expect((await api.post("/api/tools/math.add/call", wrong)).status).toBe(422);
    const text = await server.ask("/api/tools/math.add/call", { method: "POST", body: "a=1" });
    expect(text.status).toBe(415);
  });

  it("may ask for plan mode", async () => {
    const { body } = await api.post("/api/tools/notes.write/call", { input: { path: "a" }, mode: "plan" });
    expect(body.error.code).toBe("plan_mode");
  });

  it("needs the right to call", async () => {
    const other = { token: "token-read-approve" };
    expect((await api.post("/api/tools/math.add/call", {}, other)).status).toBe(403);
  });

  it("streams its progress without secrets and ends with the outcome", async () => {
    const response = await server.ask("/api/tools/count.up/call", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ input: { to: 3 } }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = [];
    for await (const event of readEvents(response)) events.push(event);
    expect(events.map(({ kind }) => kind)).toEqual(["progress", "progress", "progress", "outcome"]);
    expect(events[2]?.data).toMatchObject({ done: 3, total: 3 });
    expect(JSON.stringify(events)).not.toContain("xxxxxxxx");
    expect(events[3]?.data).toMatchObject({ ok: true, tool: "count.up" });
  });

  it("is cancelled when its client goes away, in either form", async () => {
    for (const accept of ["application/json", "text/event-stream"]) {
      const before = slow.signals.length;
      const leaving = new AbortController();
      const response = server
        .ask("/api/tools/slow.wait/call", { method: "POST", headers: { accept }, signal: leaving.signal })
        .then((answer) => answer.text())
        .catch(() => "gone");
      while (slow.signals.length === before) await sleep(5);
      leaving.abort();
      expect(await response).toBe("gone");
      while (slow.signals[before]?.aborted !== true) await sleep(5);
      slow.started[before]?.();
    }
    let codes: unknown[] = [];
    while (codes.length < 2) {
      const { entries } = await server.parts.store.ledger.query({ tool: "slow.wait" });
      codes = entries.map(({ body }) => body.code);
    }
    expect(codes).toEqual(["cancelled", "cancelled"]);
  });
});
