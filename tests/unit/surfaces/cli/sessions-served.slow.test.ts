/** A real server: sessions over REST, by two clients, over disconnects; and the commands that use it. */
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type ReadEvent, readEvents } from "../http/read-events.ts";
import type { Server } from "./cli-world.ts";
import { expectEnd, refuses } from "./expect-end.ts";
import { createSessionCliWorld, type SessionCliWorld } from "./session-cli-world.ts";

let world: SessionCliWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
type Answered = any;

async function ask(server: Server, method: string, path: string, body?: unknown): Promise<Answered> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function follow(
  server: Server,
  id: string,
  until: (event: ReadEvent) => boolean,
  lastEventId?: string,
) {
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/api/sessions/${id}/events`, {
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
  });
  const events: ReadEvent[] = [];
  for await (const event of readEvents(response)) {
    events.push(event);
    if (until(event)) break;
  }
  leaving.abort();
  return events;
}

const isDone = ({ kind }: ReadEvent) => kind === "completed";
const items = (events: readonly ReadEvent[]) => events.filter(({ data }) => data.seq !== undefined);
const write = { tool: "fs_write", input: { path: "b.txt", content: "new" } };
const enabled = "tools: { enabled_categories: [filesystem, editing] }\n";

describe("sessions of toolgate serve", () => {
  it("are started, followed by two clients, left and come back to", async () => {
    world = await createSessionCliWorld([
      { tool: "fs_read", input: { path: "a.txt" } },
      "It says hello.",
      "Bye.",
    ]);
    world.file("a.txt", "hello");
    await world.serving("--json", async (server) => {
      const { id, status, owner } = await ask(server, "POST", "/api/sessions", { prompt: "read a.txt" });
      expect([status, owner]).toEqual([201, "owner"]);
      const [one, two] = await Promise.all([follow(server, id, isDone), follow(server, id, isDone)]);
      expect(items(one)).toEqual(items(two));
      expect(items(one).map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["message", "tool_use", "tool_result", "completed"]),
      );
      for (const [at, { id: cursor }] of items(one).slice(0, -1).entries())
        expect(items(await follow(server, id, isDone, cursor))).toEqual(items(one).slice(at + 1));
      await ask(server, "POST", `/api/sessions/${id}/messages`, { text: "thanks" });
      const later = await follow(server, id, isDone, items(one).at(-1)?.id);
      expect(later.some(({ data }) => data.text === "Bye.")).toBe(true);
      const { runners } = await ask(server, "GET", "/api/runners");
      expect(runners).toContainEqual(expect.objectContaining({ name: "local", default: true }));
    });
  });

  it("survive the end of the server: cancelled turns, no agent left, gone on with by the next one", async () => {
    let asked = 0;
    world = await createSessionCliWorld((_request, { signal }) => {
      if (++asked > 1) return "Back again.";
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("late")));
    });
    const { result: id } = await world.serving("--json", async (server) => {
      const started = await ask(server, "POST", "/api/sessions", { prompt: "wait" });
      await expect.poll(() => asked).toBeGreaterThan(0);
      return started.id;
    });
    await world.serving("--json", async (server) => {
      const { session, items: log } = await ask(server, "GET", `/api/sessions/${id}`);
      expect(session.state).toBe("idle");
      expect(log.at(-1)).toMatchObject({ kind: "cancelled", data: { by: "the process that ends" } });
      await ask(server, "POST", `/api/sessions/${id}/messages`, { text: "go on" });
      expect((await follow(server, id, isDone)).some(({ data }) => data.text === "Back again.")).toBe(true);
    });
  });

  it("wait for an answer while nobody is connected", async () => {
    world = await createSessionCliWorld([write, "Written."], enabled);
    await world.serving("--json", async (server) => {
      const { id } = await ask(server, "POST", "/api/sessions", { prompt: "write" });
      const events = await follow(server, id, ({ kind }) => kind === "approval" || kind === "completed");
      const asked = events.at(-1);
      expect(asked?.data).toMatchObject({ state: "asked", tool: "fs.write" });
      await ask(server, "POST", `/api/approvals/${asked?.data.id}/answer`, { decision: "approve" });
      const after = await follow(server, id, isDone, asked?.id);
      expect(after.find(({ kind }) => kind === "tool_result")?.data.ok).toBe(true);
    });
  });

  it("end when the token that started them is revoked in another process", async () => {
    world = await createSessionCliWorld([write, "never"], enabled);
    const here = world;
    await here.serving("--json", async (server) => {
      const token = (await here.run(["tokens", "create", "ci", "--rights", "call"])).out.trim();
      const { id } = await ask({ ...server, token }, "POST", "/api/sessions", { prompt: "write" });
      await follow(server, id, ({ kind, data }) => kind === "session" && data.state === "waiting");
      const { code, out, err } = await here.run(["tokens", "revoke", "ci"]);
      expect([code, out]).toEqual([0, "ci is revoked: it is refused from now on.\n"]);
      expect(err).toContain(`Session ${id} ends: it was started with a token that is revoked.`);
      await follow(server, id, ({ kind, data }) => kind === "session" && data.end === "cancelled");
      expect((await ask(server, "GET", "/api/approvals")).approvals).toEqual([]);
    });
  });

  it("are told of and counted, also where they work in another folder", async () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-other-")));
    writeFileSync(join(other, "a.txt"), "hello");
    const read = { tool: "fs_read", input: { path: "a.txt" } };
    world = await createSessionCliWorld([read, "It says hello."], `  roots: ['${other}']\n`);
    await world.serving("--json", async (server) => {
      const leaving = new AbortController();
      const headers = { authorization: `Bearer ${server.token}` };
      const stream = await fetch(`${server.url}/api/events`, { signal: leaving.signal, headers });
      const heard: ReadEvent[] = [];
      const reading = (async () => {
        for await (const event of readEvents(stream)) heard.push(event);
      })().catch(() => {});
      const { id } = await ask(server, "POST", "/api/sessions", { prompt: "read a.txt", cwd: other });
      await follow(server, id, isDone);
      // Calls of other processes are looked for twice a second: none of these comes a second time.
      await sleep(1_200);
      leaving.abort();
      await reading;
      const ours = heard.filter(({ data }) => data.caller === `agent:${id}`);
      expect(ours.map(({ kind, data }) => [kind, data.tool, data.sessionId])).toEqual([
        ["call-start", "fs.read", id],
        ["call-end", "fs.read", id],
      ]);
      const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
      expect(metrics).toContain('toolgate_calls_total{category="filesystem",code="ok"} 1\n');
    });
  });

  it("are used by the commands, which need no runner of their own", async () => {
    world = await createSessionCliWorld(["From the server.", "Once more.", "And more."]);
    const { run, serving } = world;
    await serving("--json", async (server) => {
      const ran = await run(["run", "x"]);
      expect([ran.code, ran.out]).toEqual([0, "From the server.\n"]);
      const { sessions } = await ask(server, "GET", "/api/sessions");
      expect(sessions[0]).toMatchObject({ owner: "owner", end: "completed" });
      const resumed = await run(["sessions", "resume", sessions[0].id, "again"]);
      expect([resumed.code, resumed.out]).toEqual([0, "Once more.\n"]);
      expect((await run(["chat"], { stdin: "more\n" })).out).toBe("And more.\n");
      expect((await run(["sessions", "list"])).out).toContain("completed");
      await refuses(run(["run", "x", "--cwd", "/"]), "outside of the folders");
      await expectEnd(run(["sessions", "remove", sessions[0].id]), { err: "is removed" });
    });
  });

  it("are refused in folders that are not the server's, with what to do instead", async () => {
    world = await createSessionCliWorld(["Here."]);
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "elsewhere-")));
    await world.serving("--json", async () => {
      const refused = await world?.run("run x", { cwd: elsewhere });
      expect([refused?.code, refused?.out]).toEqual([1, ""]);
      expect(refused?.err).toContain(`${elsewhere} is outside of the folders`);
      expect(refused?.err).toContain("--local");
      expect(await world?.run("run x --local", { cwd: elsewhere })).toMatchObject({
        code: 0,
        out: "Here.\n",
      });
    });
  });

  it("are not used by an agent, which gets no token of the owner", async () => {
    world = await createSessionCliWorld(["In its own process."]);
    const { run, serving } = world;
    await serving("--json", async (server) => {
      const ran = await run(["run", "x", "--mode", "plan"], { env: { CLAUDECODE: "1" } });
      expect([ran.code, ran.out]).toEqual([0, "In its own process.\n"]);
      const { sessions } = await ask(server, "GET", "/api/sessions");
      expect(sessions[0].owner).toBe("local");
    });
  });

  it("are cancelled by Ctrl-C in the client", async () => {
    const ending = new AbortController();
    world = await createSessionCliWorld(
      (_request, { signal }) =>
        new Promise((resolve) => {
          ending.abort();
          signal.addEventListener("abort", () => resolve("late"));
        }),
    );
    const { run, serving } = world;
    await serving("--json", async (server) => {
      await expectEnd(run(["run", "x"], { signal: ending.signal }), { code: 130 });
      const { sessions } = await ask(server, "GET", "/api/sessions");
      expect(sessions[0]).toMatchObject({ state: "ended", end: "cancelled" });
    });
  });
});
