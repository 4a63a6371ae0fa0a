import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ElicitRequest } from "../../../../src/core/call/elicit.ts";
import type { Era } from "../../../../src/mcp/eras.ts";
import type { CallOptions, UpstreamChange } from "../../../../src/sources/upstream/talk/connection.ts";
import { because } from "../stopped.ts";
import { call, isRunning, scripted, startsIn, temporaryFolder, textOf } from "./scripted-upstream.ts";

describe("an upstream over pipes", () => {
  it("starts with the first call, once for all, and answers each call with its own result", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted([`log=${log}`]);
    expect(upstream.health()).toMatchObject({ state: "stopped", restarts: 0 });
    expect(startsIn(log)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => call(upstream, "echo", { at })));
    expect(answers).toEqual(Array.from({ length: 300 }, (_, at) => JSON.stringify({ at })));
    expect(startsIn(log)).toHaveLength(1);
    expect(upstream.health()).toMatchObject({
      state: "ready",
      era: "legacy",
      protocolVersion: "2025-11-25",
      serverInfo: { name: "scripted", version: "1.0.0" },
      instructions: "Be gentle.",
      inFlight: 0,
    });
  });

  it("gives the server a short list of variables, those that are declared and those that are passed on", async () => {
    process.env.UPSTREAM_TEST_SECRET = "not for everybody";
    process.env.UPSTREAM_TEST_PASSED = "passed";
    const upstream = scripted([], { env: { DECLARED: "yes" }, envPass: ["UPSTREAM_TEST_PASSED"] });
    const env = JSON.parse(await call(upstream, "env"));
    expect(env).toMatchObject({ DECLARED: "yes", UPSTREAM_TEST_PASSED: "passed", PATH: process.env.PATH });
    expect(Object.keys(env)).not.toContain("UPSTREAM_TEST_SECRET");
    expect(Object.keys(env)).not.toContain("NODE_OPTIONS");
  });

  it("tells the server that it is one, and starts none inside one", async () => {
    expect(JSON.parse(await call(scripted([]), "env")).TOOLGATE_UPSTREAM_OF).toBe(String(process.pid));
    process.env.TOOLGATE_UPSTREAM_OF = "1";
    try {
      await expect(call(scripted([]), "env")).rejects.toThrow("would start the same servers again");
    } finally {
      delete process.env.TOOLGATE_UPSTREAM_OF;
    }
  });

  it("reads every page of every list", async () => {
    const upstream = scripted(["page=1"]);
    expect((await upstream.listTools()).length).toBeGreaterThan(10);
    expect((await upstream.listResources()).map(({ uri }) => uri)).toEqual(["note://a", "note://b"]);
    expect((await upstream.listPrompts()).map(({ name }) => name)).toEqual(["greet"]);
    expect(await upstream.listResourceTemplates()).toEqual([]);
  });

  it("does not ask a server for what it does not have", async () => {
    const upstream = scripted(["bare"]);
    expect(await upstream.listTools()).toEqual([]);
    expect(await upstream.listResources()).toEqual([]);
    await expect(upstream.complete({})).rejects.toMatchObject({ code: "not_supported" });
    await expect(upstream.subscribe("note://a")).rejects.toMatchObject({ code: "not_supported" });
  });

  it("stops at a list that turns in a circle", async () => {
    await expect(scripted(["circle"]).listTools()).rejects.toMatchObject(
      because("bad_answer", "again and again"),
    );
  });

  it("reads resources, gets prompts, completes", async () => {
    const upstream = scripted();
    expect(await upstream.readResource("note://a")).toEqual({
      contents: [{ uri: "note://a", text: "text of note://a" }],
    });
    expect(await upstream.getPrompt("greet", { who: "Ada" })).toMatchObject({
      messages: [{ content: { text: "greet Ada" } }],
    });
    const ref = { type: "ref/prompt", name: "greet" };
    expect(await upstream.complete({ ref, argument: { name: "who", value: "A" } })).toEqual({
      completion: { values: ["A!"] },
    });
  });

  it("carries progress to the caller that asked for it", async () => {
    const upstream = scripted();
    const heard: unknown[] = [];
    const silent = call(upstream, "steps", { steps: 3 });
    await call(upstream, "steps", { steps: 3 }, { onProgress: (progress) => heard.push(progress) });
    await silent;
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  });

  it("tells the server when a call is cancelled, and ends only that call", async () => {
    const upstream = scripted();
    await upstream.start();
    const ending = new AbortController();
    const other = call(upstream, "slow", { ms: 100 });
    const hanging = call(upstream, "hang", {}, { signal: ending.signal });
    ending.abort();
    await expect(hanging).rejects.toMatchObject({ code: "aborted" });
    expect(await other).toBe("done");
    expect(JSON.parse(await call(upstream, "cancelled"))).toHaveLength(1);
    await expect(call(upstream, "echo", {}, { signal: ending.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });

  it("ends a call that takes too long, and the server lives on if it answers others", async () => {
    const upstream = scripted();
    const pid = await call(upstream, "pid");
    await expect(call(upstream, "hang", {}, { timeoutMs: 50 })).rejects.toMatchObject(
      because("timed_out", "timeout_ms"),
    );
    expect(await call(upstream, "pid")).toBe(pid);
  });

  it("says what the server says when it refuses", async () => {
    await expect(call(scripted(), "refuse")).rejects.toMatchObject({
      code: "refused_by_server",
      rpcCode: -32602,
      message: 'The upstream server "scripted" answered: no such fruit',
    });
    await expect(call(scripted(), "wrong")).rejects.toMatchObject({ code: "bad_answer" });
  });

  it("runs no more calls at once than allowed, and the others in their turn", async () => {
    const upstream = scripted([], { maxConcurrent: 3 });
    await Promise.all(Array.from({ length: 12 }, () => call(upstream, "slow", { ms: 10 })));
    expect(await call(upstream, "busiest")).toBe("3");
    const busy = [1, 2, 3].map(() => call(upstream, "slow", { ms: 300 }));
    await expect(call(upstream, "echo", {}, { timeoutMs: 30 })).rejects.toMatchObject(
      because("timed_out", "max_concurrent"),
    );
    const ending = new AbortController();
    const waiting = call(upstream, "echo", {}, { signal: ending.signal });
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await Promise.all(busy);
    expect(upstream.health()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it("refuses sampling and roots in words, answers a ping", async () => {
    const upstream = scripted();
    expect(JSON.parse(await call(upstream, "sample"))).toEqual({
      error: { code: -32601, message: expect.stringContaining("does not let servers use the model") },
    });
    expect(JSON.parse(await call(upstream, "roots"))).toMatchObject({ error: { code: -32601 } });
    expect(JSON.parse(await call(upstream, "ping"))).toEqual({});
  });

  it("puts a question of the server to the client whose call it is, and counts no time while a person thinks", async () => {
    const upstream = scripted();
    await upstream.start();
    const questions: ElicitRequest[] = [];
    const answer = await call(
      upstream,
      "ask",
      { question: "Which fruit?" },
      {
        timeoutMs: 100,
        elicit: async (request) => {
          questions.push(request);
          await new Promise((resolve) => setTimeout(resolve, 200));
          return { action: "accept", content: { fruit: "fig" } };
        },
      },
    );
    expect(JSON.parse(answer)).toEqual({ action: "accept", content: { fruit: "fig" } });
    expect(questions).toEqual([
      {
        from: "scripted",
        params: { message: "Which fruit?", requestedSchema: { type: "object", properties: {} } },
      },
    ]);
  });

  it("shows nobody a question when it cannot tell whose it is, and declines it where nobody can be asked", async () => {
    const upstream = scripted();
    let wasAsked = false;
    const elicit = async () => {
      wasAsked = true;
      return { action: "accept" } as const;
    };
    const other = call(upstream, "slow", { ms: 200 }, { elicit });
    expect(JSON.parse(await call(upstream, "ask", { question: "?" }, { elicit }))).toEqual({
      action: "decline",
    });
    await other;
    expect(JSON.parse(await call(upstream, "ask", { question: "?" }))).toEqual({ action: "decline" });
    expect(wasAsked).toBe(false);
  });

  it("shows a question of a call that was given up to no other caller, who might answer it", async () => {
    const upstream = scripted();
    await upstream.start();
    const shown: string[] = [];
    const asCaller = (callerId: string, more: CallOptions = {}): CallOptions => ({
      callerId,
      elicit: async () => {
        shown.push(callerId);
        return { action: "accept" };
      },
      ...more,
    });
    const leave = new AbortController();
    const question = { question: "Wire 9000 from bob's account?", after: 300 };
    const left = call(upstream, "ask", question, asCaller("bob", { signal: leave.signal }));
    await call(upstream, "echo", {}, asCaller("eve"));
    leave.abort();
    await expect(left).rejects.toMatchObject({ code: "aborted" });
    await call(upstream, "slow", { ms: 600 }, asCaller("eve"));
    expect(shown).toEqual([]);
    // Bob himself may be asked again, and eve once the server has answered what bob has left.
    expect(await call(upstream, "ask", { question: "?" }, asCaller("bob"))).toContain("accept");
    expect(await call(upstream, "ask", { question: "?" }, asCaller("eve"))).toContain("accept");
    expect(shown).toEqual(["bob", "eve"]);
  });

  it("says how long a call waited for its turn, and that nothing was sent where its turn did not come", async () => {
    const upstream = scripted([], { maxConcurrent: 1, timeoutMs: 1_500 });
    await upstream.start();
    const [first, second, third] = await Promise.allSettled([
      call(upstream, "slow", { ms: 500 }),
      call(upstream, "slow", { ms: 5_000 }),
      // Its time is over before the second one gives its turn back.
      call(upstream, "echo", {}, { timeoutMs: 800 }),
    ]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({
      reason: {
        message: expect.stringMatching(/within the [\d.]+m?s that were left after [\d.]+m?s of waiting/),
      },
    });
    expect(third).toMatchObject({
      reason: {
        message: expect.stringContaining("was busy with 1 other call for 800ms"),
        hint: expect.stringContaining("Nothing was sent"),
      },
    });
  });

  it("says that a call may have been done where the server ended under it", async () => {
    const upstream = scripted();
    await expect(call(upstream, "die")).rejects.toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("may have been done"),
    });
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
  });

  it("tells what changes, and keeps subscriptions over a restart", async () => {
    const upstream = scripted();
    const changes: UpstreamChange[] = [];
    upstream.onChange((change) => changes.push(change));
    await upstream.subscribe("note://a");
    await upstream.subscribe("note://a");
    expect(JSON.parse(await call(upstream, "change", { uri: "note://a" }))).toEqual(["note://a"]);
    expect(changes).toEqual([
      { what: "state", state: "starting" },
      { what: "state", state: "ready" },
      { what: "tools" },
      { what: "resources" },
      { what: "prompts" },
      { what: "resource-updated", uri: "note://a" },
    ]);
    await upstream.restart();
    expect(JSON.parse(await call(upstream, "change"))).toEqual(["note://a"]);
    await upstream.unsubscribe("note://a");
    expect(JSON.parse(await call(upstream, "change"))).toEqual(["note://a"]);
    await upstream.unsubscribe("note://a");
    expect(JSON.parse(await call(upstream, "change"))).toEqual([]);
  });

  it("ends the process and everything it started when it is closed", async () => {
    const upstream = scripted(["ignore-term"]);
    const pid = Number(await call(upstream, "pid"));
    const child = Number(await call(upstream, "child"));
    expect([pid, child].map(isRunning)).toEqual([true, true]);
    const hanging = call(upstream, "hang");
    await Promise.all([
      upstream.close(),
      expect(hanging).rejects.toMatchObject(because("unavailable", "closed")),
    ]);
    expect([pid, child].map(isRunning)).toEqual([false, false]);
    await expect(call(upstream, "echo")).rejects.toMatchObject({ code: "closed" });
  });

  it.runIf(existsSync("/usr/bin/bwrap"))(
    "writes only into its own folder when it is in a sandbox, and cannot see what is hidden",
    async () => {
      const [cwd, outside, hidden] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
      writeFileSync(join(hidden, "key"), "secret");
      const script = `touch ${cwd}/made ${outside}/made; cat ${hidden}/key >&2 || echo unseen >&2; exit 5`;
      const transport = {
        kind: "stdio",
        command: "/bin/sh",
        args: ["-c", script],
        cwd,
        sandbox: "required",
      } as const;
      const upstream = scripted([], { transport }, { hiddenPaths: [hidden] });
      await expect(call(upstream, "echo")).rejects.toMatchObject({
        message: expect.stringContaining("unseen"),
      });
      expect([existsSync(join(cwd, "made")), existsSync(join(outside, "made"))]).toEqual([true, false]);
    },
  );

  it("says what is wrong with a command that cannot be started", async () => {
    const transport = {
      kind: "stdio",
      command: "no-such-program",
      args: [],
      cwd: temporaryFolder(),
    } as const;
    await expect(call(scripted([], { transport }), "echo")).rejects.toMatchObject(
      because("unavailable", /"scripted" cannot be started: Command not found: "no-such-program"/),
    );
  });

  it("speaks with a modern server, and remembers that it is one", async () => {
    const known = new Map<string, Era>();
    const eras = {
      get: (key: string) => known.get(key),
      set: (key: string, era: Era) => void known.set(key, era),
    };
    const upstream = scripted(["modern"], {}, { eras });
    expect(await call(upstream, "echo", { a: 1 })).toBe('{"a":1}');
    expect(upstream.health()).toMatchObject({ era: "modern", protocolVersion: "2026-07-28" });
    expect([...known.values()]).toEqual(["modern"]);
    expect(JSON.parse(await call(upstream, "meta", {}, { meta: { traceparent: "00-1" } }))).toEqual({
      traceparent: "00-1",
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "toolgate", version: "0.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  });

  it("answers the questions of a modern server by asking again with the answers", async () => {
    const upstream = scripted(["modern"], { era: "modern" });
    const elicit = async () => ({ action: "accept", content: { sure: true } }) as const;
    const [one, other] = await Promise.all([
      call(upstream, "ask", { question: "Sure?" }, { elicit }),
      call(upstream, "ask", { question: "Sure?" }),
    ]);
    expect(JSON.parse(one)).toEqual({
      responses: { first: { action: "accept", content: { sure: true } } },
      state: "state-1",
    });
    expect(JSON.parse(other)).toMatchObject({ responses: { first: { action: "decline" } } });
  });

  it("hears changes of a modern server, also of resources that were subscribed to later", async () => {
    const upstream = scripted(["modern"]);
    const changes: UpstreamChange[] = [];
    await upstream.start();
    upstream.onChange((change) => changes.push(change));
    await upstream.subscribe("note://b");
    await call(upstream, "change", { uri: "note://b" });
    expect(changes).toEqual([
      { what: "tools" },
      { what: "resources" },
      { what: "prompts" },
      { what: "resource-updated", uri: "note://b" },
    ]);
    expect(textOf(await upstream.callTool("echo", {}))).toBe("{}");
  });

  it("refuses a server that wants a version nobody knows", async () => {
    await expect(scripted(["version=2031-01-01"], { era: "legacy" }).start()).rejects.toMatchObject(
      because("bad_answer", "2031-01-01"),
    );
  });
});
