import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ElicitRequest } from "../../../../src/core/call/elicit.ts";
import type { Era } from "../../../../src/mcp/eras.ts";
import type { CallOptions, UpstreamChange } from "../../../../src/sources/upstream/talk/connection.ts";
import { because } from "../stopped.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { call, isRunning, scripted, startsIn, told, why } from "./scripted-upstream.ts";

function setVariable(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("an upstream over pipes", () => {
  it("starts with the first call, once for all, and answers each call with its own result", async () => {
    const log = `${temporaryFolder()}/starts`;
    const upstream = scripted([`log=${log}`]);
    expect(upstream.health()).toMatchObject({ state: "stopped", restarts: 0 });
    expect(startsIn(log)).toEqual([]);
    const inputs = Array.from({ length: 300 }, (_, at) => ({ at }));
    expect(await Promise.all(inputs.map((input) => told(upstream, "echo", input)))).toEqual(inputs);
    expect(startsIn(log)).toHaveLength(1);
    const serverInfo = { name: "scripted", version: "1.0.0" };
    const server = { era: "legacy", protocolVersion: "2025-11-25", serverInfo, instructions: "Be gentle." };
    expect(upstream.health()).toMatchObject({ state: "ready", ...server, inFlight: 0 });
  });

  it("gives the server a short list of variables, those that are declared and those that are passed on", async () => {
    setVariable("UPSTREAM_TEST_SECRET", "not for everybody");
    setVariable("UPSTREAM_TEST_PASSED", "passed");
    const upstream = scripted([], { env: { DECLARED: "yes" }, envPass: ["UPSTREAM_TEST_PASSED"] });
    const env = await told(upstream, "env");
    expect(env).toMatchObject({ DECLARED: "yes", UPSTREAM_TEST_PASSED: "passed", PATH: process.env.PATH });
    for (const name of ["UPSTREAM_TEST_SECRET", "NODE_OPTIONS"]) expect(Object.keys(env)).not.toContain(name);
  });

  it("tells the server that it is one, and starts none inside one", async () => {
    expect(await told(scripted(), "env")).toMatchObject({ TOOLGATE_UPSTREAM_OF: String(process.pid) });
    setVariable("TOOLGATE_UPSTREAM_OF", "1");
    expect(await why(scripted(), "env")).toContain("would start the same servers again");
  });

  it("reads every page of every list, and stops at one that turns in a circle", async () => {
    const upstream = scripted(["page=1"]);
    expect((await upstream.listTools()).length).toBeGreaterThan(10);
    expect((await upstream.listResources()).map(({ uri }) => uri)).toEqual(["note://a", "note://b"]);
    expect((await upstream.listPrompts()).map(({ name }) => name)).toEqual(["greet"]);
    expect(await upstream.listResourceTemplates()).toEqual([]);
    const circle = because("bad_answer", "again and again");
    await expect(scripted(["circle"]).listTools()).rejects.toMatchObject(circle);
  });

  it("does not ask a server for what it does not have", async () => {
    const upstream = scripted(["bare"]);
    expect([await upstream.listTools(), await upstream.listResources()]).toEqual([[], []]);
    await expect(upstream.complete({})).rejects.toMatchObject({ code: "not_supported" });
    await expect(upstream.subscribe("note://a")).rejects.toMatchObject({ code: "not_supported" });
  });

  it("reads resources, gets prompts, completes", async () => {
    const upstream = scripted();
    const contents = [{ uri: "note://a", text: "text of note://a" }];
    expect(await upstream.readResource("note://a")).toEqual({ contents });
    const messages = [{ content: { text: "greet Ada" } }];
    expect(await upstream.getPrompt("greet", { who: "Ada" })).toMatchObject({ messages });
    const asked = { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "who", value: "A" } };
    expect(await upstream.complete(asked)).toEqual({ completion: { values: ["A!"] } });
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
    const { signal } = ending;
    const other = call(upstream, "slow", { ms: 100 });
    const hanging = why(upstream, "hang", {}, { signal });
    ending.abort();
    expect(await hanging).toMatch(/^aborted /);
    expect(await other).toBe("done");
    expect(await told(upstream, "cancelled")).toHaveLength(1);
    expect(await why(upstream, "echo", {}, { signal })).toMatch(/^aborted /);
  });

  it("ends a call that takes too long, and the server lives on if it answers others", async () => {
    const upstream = scripted();
    const pid = await call(upstream, "pid");
    expect(await why(upstream, "hang", {}, { timeoutMs: 50 })).toMatch(/^timed_out .*timeout_ms/s);
    expect(await call(upstream, "pid")).toBe(pid);
  });

  it("says what the server says when it refuses", async () => {
    await expect(call(scripted(), "refuse")).rejects.toMatchObject({
      code: "refused_by_server",
      rpcCode: -32602,
      message: 'The upstream server "scripted" answered: no such fruit',
    });
    expect(await why(scripted(), "wrong")).toMatch(/^bad_answer /);
  });

  it("runs no more calls at once than allowed, and the others in their turn", async () => {
    const upstream = scripted([], { maxConcurrent: 3 });
    await Promise.all(Array.from({ length: 12 }, () => call(upstream, "slow", { ms: 10 })));
    expect(await call(upstream, "busiest")).toBe("3");
    const ending = new AbortController();
    const { signal } = ending;
    const busy = [1, 2, 3].map(() => why(upstream, "hang", {}, { signal }));
    expect(await why(upstream, "echo", {}, { timeoutMs: 30 })).toMatch(/^timed_out .*max_concurrent/s);
    const waiting = why(upstream, "echo", {}, { signal });
    ending.abort();
    for (const one of [waiting, ...busy]) expect(await one).toMatch(/^aborted /);
    expect(upstream.health()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it("refuses sampling and roots in words, answers a ping", async () => {
    const upstream = scripted();
    const message = expect.stringContaining("does not let servers use the model");
    expect(await told(upstream, "sample")).toEqual({ error: { code: -32601, message } });
    expect(await told(upstream, "roots")).toMatchObject({ error: { code: -32601 } });
    expect(await told(upstream, "ping")).toEqual({});
  });

  it("puts a question of the server to the client whose call it is, and counts no time while a person thinks", async () => {
    const upstream = scripted();
    await upstream.start();
    const questions: ElicitRequest[] = [];
    const answer = { action: "accept", content: { fruit: "fig" } } as const;
    const elicit = async (request: ElicitRequest) => {
      questions.push(request);
      await sleep(2_000);
      return answer;
    };
    expect(await told(upstream, "ask", { question: "Which fruit?" }, { timeoutMs: 1_500, elicit })).toEqual(
      answer,
    );
    const params = { message: "Which fruit?", requestedSchema: { type: "object", properties: {} } };
    expect(questions).toEqual([{ from: "scripted", params }]);
  });

  it("shows nobody a question when it cannot tell whose it is, and declines it where nobody can be asked", async () => {
    const upstream = scripted();
    const elicit = vi.fn(async () => ({ action: "accept" }) as const);
    const other = call(upstream, "slow", { ms: 200 }, { elicit });
    expect(await told(upstream, "ask", { question: "?" }, { elicit })).toEqual({ action: "decline" });
    await other;
    expect(await told(upstream, "ask", { question: "?" })).toEqual({ action: "decline" });
    expect(elicit).not.toHaveBeenCalled();
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
    const question = { question: "Wire 9000 from bob's account?", after: 1_000 };
    const left = why(upstream, "ask", question, asCaller("bob", { signal: leave.signal }));
    await call(upstream, "echo", {}, asCaller("eve"));
    leave.abort();
    expect(await left).toMatch(/^aborted /);
    await call(upstream, "slow", { ms: 1_200 }, asCaller("eve"));
    expect(shown).toEqual([]);
    // Bob himself may be asked again, and eve once the server has answered what bob has left.
    for (const name of ["bob", "eve"])
      expect(await call(upstream, "ask", { question: "?" }, asCaller(name))).toContain("accept");
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
    expect(first.status).toBe("fulfilled");
    const late = because("timed_out", /within the [\d.]+m?s that were left after [\d.]+m?s of waiting/);
    expect(second).toMatchObject({ reason: late });
    const busy = because("timed_out", "was busy with 1 other call for 800ms");
    expect(third).toMatchObject({ reason: { ...busy, hint: expect.stringContaining("Nothing was sent") } });
  });

  it("says that a call may have been done where the server ended under it", async () => {
    const upstream = scripted();
    const hint = expect.stringContaining("may have been done");
    await expect(call(upstream, "die")).rejects.toMatchObject({ code: "unavailable", hint });
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
  });

  const lists = [{ what: "tools" }, { what: "resources" }, { what: "prompts" }];
  it("tells what changes, and keeps subscriptions over a restart", async () => {
    const upstream = scripted();
    const changes: UpstreamChange[] = [];
    upstream.onChange((change) => changes.push(change));
    for (const uri of ["note://a", "note://a"]) await upstream.subscribe(uri);
    expect(await told(upstream, "change", { uri: "note://a" })).toEqual(["note://a"]);
    const states = ["starting", "ready"].map((state) => ({ what: "state", state }));
    expect(changes).toEqual([...states, ...lists, { what: "resource-updated", uri: "note://a" }]);
    await upstream.restart();
    expect(await told(upstream, "change")).toEqual(["note://a"]);
    for (const left of [["note://a"], []]) {
      await upstream.unsubscribe("note://a");
      expect(await told(upstream, "change")).toEqual(left);
    }
  });

  it("ends the process and everything it started when it is closed", async () => {
    const upstream = scripted(["ignore-term"]);
    const pids = [Number(await call(upstream, "pid")), Number(await call(upstream, "child"))];
    expect(pids.map(isRunning)).toEqual([true, true]);
    const hanging = why(upstream, "hang");
    await upstream.close();
    expect(await hanging).toMatch(/^unavailable .*closed/s);
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(await why(upstream, "echo")).toMatch(/^closed /);
  });

  it.runIf(existsSync("/usr/bin/bwrap"))(
    "writes only into its own folder when it is in a sandbox, and cannot see what is hidden",
    async () => {
      const [cwd, outside, hidden] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
      writeFileSync(join(hidden, "key"), "secret");
      const script = `touch ${cwd}/made ${outside}/made; cat ${hidden}/key >&2 || echo unseen >&2; exit 5`;
      const program = { kind: "stdio", command: "/bin/sh", args: ["-c", script], cwd } as const;
      const settings = { transport: { ...program, sandbox: "required" } } as const;
      expect(await why(scripted([], settings, { hiddenPaths: [hidden] }), "echo")).toContain("unseen");
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
    expect(await why(scripted([], { transport }), "echo")).toMatch(
      /^unavailable .*"scripted" cannot be started: Command not found: "no-such-program"/s,
    );
  });

  it("speaks with a modern server, and remembers that it is one", async () => {
    const known = new Map<string, Era>();
    const upstream = scripted(["modern"], {}, { eras: known });
    expect(await told(upstream, "echo", { a: 1 })).toEqual({ a: 1 });
    expect(upstream.health()).toMatchObject({ era: "modern", protocolVersion: "2026-07-28" });
    expect([...known.values()]).toEqual(["modern"]);
    expect(await told(upstream, "meta", {}, { meta: { traceparent: "00-1" } })).toEqual({
      traceparent: "00-1",
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "toolgate", version: "0.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  });

  it("answers the questions of a modern server by asking again with the answers", async () => {
    const upstream = scripted(["modern"], { era: "modern" });
    const first = { action: "accept", content: { sure: true } } as const;
    const asked = { question: "Sure?" };
    const answers = [
      told(upstream, "ask", asked, { elicit: async () => first }),
      told(upstream, "ask", asked),
    ];
    const [one, other] = await Promise.all(answers);
    expect(one).toEqual({ responses: { first }, state: "state-1" });
    expect(other).toMatchObject({ responses: { first: { action: "decline" } } });
  });

  it("hears changes of a modern server, also of resources that were subscribed to later", async () => {
    const upstream = scripted(["modern"]);
    const changes: UpstreamChange[] = [];
    await upstream.start();
    upstream.onChange((change) => changes.push(change));
    await upstream.subscribe("note://b");
    await call(upstream, "change", { uri: "note://b" });
    expect(changes).toEqual([...lists, { what: "resource-updated", uri: "note://b" }]);
    expect(await told(upstream, "echo", {})).toEqual({});
  });

  it("refuses a server that wants a version nobody knows", async () => {
    const started = scripted(["version=2031-01-01"], { era: "legacy" }).start();
    await expect(started).rejects.toMatchObject(because("bad_answer", "2031-01-01"));
  });
});
