import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { defineTool } from "../../../src/core/tool/tool.ts";
import { createGate } from "../../../src/gate/create-gate.ts";
import type { Gate } from "../../../src/gate/gate.ts";
import {
  createSessions,
  type Sessions,
  type SessionsOptions,
} from "../../../src/sessions/create-sessions.ts";
import type { SessionEvent } from "../../../src/sessions/session-event.ts";
import { createMemorySessions } from "../../../src/stores/memory/memory-sessions.ts";
import { type Script, scriptedRunner } from "./scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };
const folder = realpathSync(mkdtempSync(join(tmpdir(), "sessions-")));
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const add = defineTool({
  id: "math.add",
  description: "Adds.",
  permission: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  run: ({ a, b }) => String(Number(a) + Number(b)),
});
const wipe = defineTool({
  id: "disk.wipe",
  description: "Wipes.",
  permission: "execute",
  input: { type: "object", properties: { disk: { type: "string" } }, required: ["disk"] },
  run: async ({ disk }, { signal }) => {
    if (disk === "slow")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return `wiped ${disk}`;
  },
});

async function world(script: Script, options: Partial<SessionsOptions> = {}) {
  const gate: Gate = await createGate({ tools: [add, wipe], approver: "desk", roots: [folder] });
  const runner = scriptedRunner(script);
  const sessions = await createSessions(gate, { runners: [runner], roots: [folder], ...options });
  closing.push(
    () => gate.close(),
    () => sessions.close(),
  );
  return { gate, runner, sessions };
}

async function started(sessions: Sessions, more: object = {}) {
  const result = await sessions.start({ prompt: "go", runner: "scripted", ...more }, ann);
  if (!result.ok) throw new Error(result.message);
  return result.session.id;
}

/** Everything that a reader gets until an event that it waits for. */
async function read(sessions: Sessions, id: string, until: (event: SessionEvent) => boolean, after?: string) {
  const leaving = new AbortController();
  const events: SessionEvent[] = [];
  for await (const event of sessions.events(id, { after, signal: leaving.signal })) {
    events.push(event);
    if (until(event)) leaving.abort();
  }
  return events;
}

const isState = (state: string) => (event: SessionEvent) =>
  event.event === "session" && event.data.state === state;
const kindsOf = (events: readonly SessionEvent[]) =>
  events.map(({ event, data }) => (event === "session" ? `session ${data.state}` : event));

describe("a session", () => {
  it("runs a prompt, keeps its log, and waits for the next one", async () => {
    const { sessions, runner } = await world(async ({ prompt }) => `you said ${prompt}`);
    const id = await started(sessions);
    const events = await read(sessions, id, isState("idle"));
    expect(kindsOf(events).slice(-3)).toEqual(["message", "completed", "session idle"]);
    await sessions.send(id, { text: "more" }, ann);
    await read(sessions, id, ({ data }) => data.turn === 2 && data.state === "idle");
    const texts = (await sessions.items(id)).map(
      ({ kind, body }) => `${kind} ${body.text ?? body.stopReason}`,
    );
    expect(texts).toEqual([
      "message go",
      "message you said go",
      "completed end_turn",
      "message more",
      "message you said more",
      "completed end_turn",
    ]);
    expect(runner.seen).toEqual(["open", "go", "more"]);
  });

  it("calls tools as agent:<session>, owned by who started it", async () => {
    let calledBy: unknown;
    const { sessions, gate } = await world(async ({ signal }, { calls }) => {
      calledBy = calls.caller;
      const { content } = await calls.run({
        tool: "math_add",
        input: { a: 1, b: 2 },
        toolUseId: "t1",
        signal,
      });
      return JSON.stringify(content);
    });
    const callers: string[] = [];
    gate.events.on("call-start", ({ caller }) => callers.push(caller));
    const id = await started(sessions, { single: true });
    await read(sessions, id, isState("ended"));
    expect(calledBy).toMatchObject({ id: `agent:${id}`, owner: "ann" });
    expect(callers).toEqual([`agent:${id}`]);
    const items = await sessions.items(id);
    expect(items.map(({ kind }) => kind)).toEqual([
      "message",
      "tool_use",
      "tool_result",
      "message",
      "completed",
    ]);
    expect(items[2]?.body).toMatchObject({
      tool: "math.add",
      ok: true,
      content: [{ type: "text", text: "3" }],
    });
    expect(await sessions.get(id)).toMatchObject({ state: "ended", end: "completed" });
  });

  it("waits for a person, whom the owner may be, and shows the question and the answer", async () => {
    const { sessions, gate } = await world(async ({ signal }, { calls }) => {
      const { isError } = await calls.run({
        tool: "disk.wipe",
        input: { disk: "a" },
        toolUseId: "t1",
        signal,
      });
      return isError ? "refused" : "done";
    });
    const id = await started(sessions, { single: true });
    await read(sessions, id, isState("waiting"));
    const [asked] = await gate.approvals.pending();
    expect(asked?.caller).toBe(`agent:${id}`);
    const own = await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: `agent:${id}` });
    expect(own).toMatchObject({ ok: false, code: "self_approval" });
    await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: "ann" });
    const events = await read(sessions, id, isState("ended"));
    const states = events
      .filter(({ event }) => event === "approval")
      .map(({ data }) => `${data.state} ${data.by}`);
    expect(states).toEqual(["asked undefined", "approved ann"]);
    expect(events.some(({ data }) => data.text === "done")).toBe(true);
  });

  it("is cancelled while a tool runs: state first, then the call, and late results are not added", async () => {
    let outcome: unknown;
    const { sessions, gate, runner } = await world(async ({ signal }, { calls }) => {
      ({ outcome } = await calls.run({
        tool: "disk.wipe",
        input: { disk: "slow" },
        toolUseId: "t1",
        signal,
      }));
      return "late";
    });
    const running = Promise.withResolvers<void>();
    const id = await started(sessions);
    await read(sessions, id, isState("waiting"));
    gate.events.on("approval-answer", () => setTimeout(running.resolve, 20));
    const [asked] = await gate.approvals.pending();
    await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: "ann" });
    await running.promise;
    expect(await sessions.cancel(id, "ann")).toMatchObject({
      ok: true,
      session: { state: "ended", end: "cancelled" },
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect((await sessions.items(id)).at(-1)).toMatchObject({ kind: "cancelled", body: { by: "ann" } });
    expect(runner.seen.at(-1)).toBe("close");
    // A second time nothing happens.
    expect(await sessions.cancel(id, "ann")).toMatchObject({ ok: true });
    expect((await sessions.items(id)).filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
  });

  it("keeps its agent when only a turn is cancelled", async () => {
    const { sessions, runner } = await world(async ({ prompt, signal }) => {
      if (prompt !== "go") return prompt;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return undefined;
    });
    const id = await started(sessions);
    await read(sessions, id, isState("running"));
    expect(await sessions.cancel(id, "ann", { turn: 1 })).toMatchObject({ session: { state: "idle" } });
    await sessions.send(id, { text: "more" }, ann);
    await read(sessions, id, ({ data }) => data.turn === 2 && data.state === "idle");
    expect(runner.seen).toEqual(["open", "go", "more"]);
  });

  it("withdraws its questions when it is cancelled", async () => {
    const { sessions, gate } = await world(async ({ signal }, { calls }) => {
      await calls.run({ tool: "disk.wipe", input: { disk: "a" }, toolUseId: "t1", signal });
      return "late";
    });
    const id = await started(sessions);
    await read(sessions, id, isState("waiting"));
    await sessions.cancel(id, "ann");
    expect(await gate.approvals.pending()).toEqual([]);
  });

  it("goes on after it was cancelled when a person says so", async () => {
    const { sessions, runner } = await world(async ({ prompt }, { history }) => {
      const before = await history();
      return `${prompt} after ${before.length}`;
    });
    const id = await started(sessions);
    await read(sessions, id, isState("idle"));
    await sessions.cancel(id, "ann");
    expect(await sessions.send(id, { text: "again" }, ann)).toMatchObject({
      ok: false,
      code: "session_ended",
    });
    expect(await sessions.send(id, { text: "again", resume: true }, ann)).toMatchObject({ ok: true });
    await read(sessions, id, ({ data }) => data.turn === 2 && data.state === "idle");
    expect(runner.seen).toEqual(["open", "go", "close", "open", "again"]);
    expect((await sessions.items(id)).at(-2)?.body.text).toBe("again after 4");
  });

  it("takes a message into the turn that runs, and refuses it when another turn runs", async () => {
    const { sessions } = await world(async ({ takeSteering, signal }) => {
      for (;;) {
        const more = await takeSteering();
        if (more !== undefined) return `heard ${more}`;
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    const id = await started(sessions);
    await read(sessions, id, isState("running"));
    const wrong = await sessions.send(id, { text: "no", steer: { expectedTurn: 7 } }, ann);
    expect(wrong).toMatchObject({ ok: false, code: "turn_changed" });
    expect(await sessions.send(id, { text: "left", steer: { expectedTurn: 1 } }, ann)).toMatchObject({
      ok: true,
    });
    const events = await read(sessions, id, isState("idle"));
    expect(events.filter(({ event }) => event === "message").map(({ data }) => data.text)).toEqual([
      "go",
      "left",
      "heard left",
    ]);
  });

  it("ends a turn whose budget is spent, with an error that says which", async () => {
    const { sessions } = await world(async ({ log }) => {
      for (;;) log.beginStep();
    });
    const id = await started(sessions, { single: true, budget: { turns: 5 } });
    const events = await read(sessions, id, isState("ended"));
    expect(events.find(({ event }) => event === "error")?.data).toMatchObject({
      code: "budget_spent",
      message: "The budget of this session is spent: 5 answers of the model.",
    });
    expect(await sessions.get(id)).toMatchObject({ end: "failed" });
  });

  it("lets one session at a time write in a folder, and those that only read share it", async () => {
    const { sessions } = await world(async ({ signal }) => {
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return undefined;
    });
    const id = await started(sessions);
    const second = await sessions.start({ prompt: "go", runner: "scripted" }, ann);
    expect(second).toMatchObject({ ok: false, code: "folder_busy", holder: id });
    expect(await sessions.start({ prompt: "go", runner: "scripted", mode: "plan" }, ann)).toMatchObject({
      ok: true,
    });
  });

  it.for([
    [{ runner: "none" }, "unknown_runner"],
    [{ prompt: " " }, "bad_request"],
    [{ cwd: "relative" }, "bad_request"],
    [{ cwd: "/" }, "folder_outside"],
    [{ mode: "yolo" }, "bad_request"],
    [{ categories: ["shell"] }, "bad_request"],
    [{ categories: ["no-such"] }, "bad_request"],
    [{ parent: "s-none" }, "bad_request"],
    [{ worktree: true }, "bad_request"],
  ] as const)("is not started with %j", async ([wrong, code]) => {
    const { sessions } = await world(async () => "never");
    const result = await sessions.start({ prompt: "go", runner: "scripted", ...wrong } as never, ann);
    expect(result).toMatchObject({ ok: false, code });
    expect((await sessions.list()).sessions).toEqual([]);
  });

  it("gives the same events to whoever comes back, from any place in the log", async () => {
    const { sessions } = await world(async ({ log, signal }, { calls }) => {
      for (let at = 0; at < 20; at++) {
        const itemId = log.newItem();
        for (const letter of "hello") log.delta(itemId, letter);
        await log.message(itemId, `hello ${at}`);
        await calls.run({ tool: "math.add", input: { a: at, b: 1 }, toolUseId: `t${at}`, signal });
      }
      return "end";
    });
    const id = await started(sessions);
    const isLogged = ({ id: eventId }: SessionEvent) => eventId !== undefined;
    const whole = (await read(sessions, id, isState("idle"))).filter(isLogged);
    for (let at = 0; at < 100; at++) {
      const from = Math.floor(Math.random() * (whole.length - 1));
      const rest = await read(sessions, id, isLast(whole), whole[from]?.id);
      expect(JSON.stringify(rest.filter(isLogged))).toBe(JSON.stringify(whole.slice(from + 1)));
    }
    const reset = await read(sessions, id, isLast(whole), "elsewhere-3");
    expect(reset[0]?.event).toBe("reset");
    expect(JSON.stringify(reset.filter(isLogged))).toBe(JSON.stringify(whole));
  });

  it("is heard by its deltas as well, whose offsets fit", async () => {
    const { sessions } = await world(async ({ log }) => {
      const itemId = log.newItem();
      for (let at = 0; at < 300; at++) {
        log.delta(itemId, `${at},`);
        if (at % 30 === 0) await new Promise((resolve) => setTimeout(resolve, 12));
      }
      await log.message(itemId, "whole");
      return undefined;
    });
    const id = await started(sessions);
    const events = await read(sessions, id, isState("idle"));
    let text = "";
    for (const { event, data } of events) {
      if (event !== "message-delta") continue;
      expect(data.offset).toBe(text.length);
      text += data.text;
    }
    expect("0,1,2,3,".startsWith(text.slice(0, 8)) || text.startsWith("0,")).toBe(true);
  });

  it("is lost to nobody when its process closes: the turn is cancelled and it can be gone on with", async () => {
    const store = createMemorySessions();
    const { sessions } = await world(
      async ({ signal }) => {
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        return undefined;
      },
      { store },
    );
    const id = await started(sessions);
    await read(sessions, id, isState("running"));
    await sessions.close();
    expect(await store.get(id)).toMatchObject({ state: "idle" });
    expect((await store.get(id))?.process).toBeUndefined();
    const next = await world(async () => "again", { store });
    await next.sessions.send(id, { text: "more" }, ann);
    await read(next.sessions, id, ({ data }) => data.turn === 2 && data.state === "idle");
  });
});

function isLast(whole: readonly SessionEvent[]) {
  const last = whole.at(-1)?.id;
  return ({ id }: SessionEvent) => id === last;
}
