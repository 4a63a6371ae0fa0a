import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../src/sessions/session-event.ts";
import { createMemorySessions } from "../../../src/stores/memory/memory-sessions.ts";
import type { Script } from "./scripted-runner.ts";
import {
  add,
  ann,
  isIdleAfter,
  isState,
  sessionsWorld,
  tool,
  untilCancelled,
  type WorldOptions,
} from "./sessions-world.ts";

const wipe = tool(
  "disk.wipe",
  async ({ disk }, { signal }) => {
    if (disk === "slow") await untilCancelled(signal);
    return `wiped ${disk}`;
  },
  ["disk"],
  "execute",
);
const look = tool("sky.look", () => "blue");

const world = (script: Script, options: WorldOptions = {}) =>
  sessionsWorld(script, { gate: { tools: [add, wipe, look], approver: "desk" }, ...options });

const wiping = (disk: string, signal: AbortSignal) => ({
  ...{ tool: "disk.wipe", input: { disk }, toolUseId: "t1", signal },
});
const kindsOf = (events: readonly SessionEvent[]) =>
  events.map(({ event, data }) => (event === "session" ? `session ${data.state}` : event));

describe("a session", () => {
  it("runs a prompt, keeps its log, and waits for the next one", async () => {
    const { sessions, runner, start, read } = await world(async ({ prompt }) => `you said ${prompt}`);
    const id = await start();
    const events = await read(id, isState("idle"));
    expect(kindsOf(events).slice(-3)).toEqual(["message", "completed", "session idle"]);
    await sessions.send(id, { text: "more" }, ann);
    await read(id, isIdleAfter(2));
    const texts = (await sessions.items(id)).map(
      ({ kind, body }) => `${kind} ${body.text ?? body.stopReason}`,
    );
    expect(texts).toEqual([
      ...["message go", "message you said go", "completed end_turn"],
      ...["message more", "message you said more", "completed end_turn"],
    ]);
    expect(runner.seen).toEqual(["open", "go", "more"]);
  });

  it("calls tools as agent:<session>, owned by who started it", async () => {
    let calledBy: unknown;
    const { gate, run } = await world(async ({ signal }, { calls }) => {
      calledBy = calls.caller;
      const call = { tool: "math_add", input: { a: 1, b: 2 }, toolUseId: "t1", signal };
      return JSON.stringify((await calls.run(call)).content);
    });
    const callers: string[] = [];
    gate.events.on("call-start", ({ caller }) => callers.push(caller));
    const { id, items, session } = await run();
    expect(calledBy).toMatchObject({ id: `agent:${id}`, owner: "ann" });
    expect(callers).toEqual([`agent:${id}`]);
    expect(items.map(({ kind }) => kind).join(" ")).toBe("message tool_use tool_result message completed");
    const content = [{ type: "text", text: "3" }];
    expect(items[2]?.body).toMatchObject({ tool: "math.add", ok: true, content });
    expect(session).toMatchObject({ state: "ended", end: "completed" });
  });

  it("waits for a person, whom the owner may be, and shows the question and the answer", async () => {
    const { gate, start, read } = await world(async ({ signal }, { calls }) =>
      (await calls.run(wiping("a", signal))).isError ? "refused" : "done",
    );
    const id = await start({ single: true });
    await read(id, isState("waiting"));
    const [asked] = await gate.approvals.pending();
    expect(asked?.caller).toBe(`agent:${id}`);
    const own = await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: `agent:${id}` });
    expect(own).toMatchObject({ ok: false, code: "self_approval" });
    await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: "ann" });
    const events = await read(id, isState("ended"));
    const states = events
      .filter(({ event }) => event === "approval")
      .map(({ data }) => `${data.state} ${data.by}`);
    expect(states).toEqual(["asked undefined", "approved ann"]);
    expect(events.some(({ data }) => data.text === "done")).toBe(true);
  });

  it("is cancelled while a tool runs: state first, then the call, and late results are not added", async () => {
    let outcome: unknown;
    const { sessions, gate, runner, start, read } = await world(async ({ signal }, { calls }) => {
      ({ outcome } = await calls.run(wiping("slow", signal)));
      return "late";
    });
    const running = Promise.withResolvers<void>();
    const id = await start();
    await read(id, isState("waiting"));
    gate.events.on("approval-answer", () => setTimeout(running.resolve, 20));
    const [asked] = await gate.approvals.pending();
    await gate.approvals.answer(asked?.id ?? "", { decision: "approve", by: "ann" });
    await running.promise;
    const session = { state: "ended", end: "cancelled" };
    expect(await sessions.cancel(id, "ann")).toMatchObject({ ok: true, session });
    expect(outcome).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect((await sessions.items(id)).at(-1)).toMatchObject({ kind: "cancelled", body: { by: "ann" } });
    expect(runner.seen.at(-1)).toBe("close");
    // A second time nothing happens.
    expect(await sessions.cancel(id, "ann")).toMatchObject({ ok: true });
    expect((await sessions.items(id)).filter(({ kind }) => kind === "cancelled")).toHaveLength(1);
  });

  it("keeps its agent when only a turn is cancelled", async () => {
    const { sessions, runner, start, read } = await world(async ({ prompt, signal }) =>
      prompt === "go" ? untilCancelled(signal) : prompt,
    );
    const id = await start();
    await read(id, isState("running"));
    expect(await sessions.cancel(id, "ann", { turn: 1 })).toMatchObject({ session: { state: "idle" } });
    await sessions.send(id, { text: "more" }, ann);
    await read(id, isIdleAfter(2));
    expect(runner.seen).toEqual(["open", "go", "more"]);
  });

  it("withdraws its questions when it is cancelled", async () => {
    const { sessions, gate, start, read } = await world(async ({ signal }, { calls }) => {
      await calls.run(wiping("a", signal));
      return "late";
    });
    const id = await start();
    await read(id, isState("waiting"));
    await sessions.cancel(id, "ann");
    expect(await gate.approvals.pending()).toEqual([]);
  });

  it("goes on after it was cancelled when a person says so", async () => {
    const { sessions, runner, start, read } = await world(
      async ({ prompt }, { history }) => `${prompt} after ${(await history()).length}`,
    );
    const id = await start();
    await read(id, isState("idle"));
    await sessions.cancel(id, "ann");
    const send = (more: object = {}) => sessions.send(id, { text: "again", ...more }, ann);
    expect(await send()).toMatchObject({ ok: false, code: "session_ended" });
    expect(await send({ resume: true })).toMatchObject({ ok: true });
    await read(id, isIdleAfter(2));
    expect(runner.seen).toEqual(["open", "go", "close", "open", "again"]);
    expect((await sessions.items(id)).at(-2)?.body.text).toBe("again after 4");
  });

  it("takes a message into the turn that runs, and refuses it when another turn runs", async () => {
    const { sessions, start, read } = await world(async ({ takeSteering, signal }) => {
      for (;;) {
        const more = await takeSteering();
        if (more !== undefined) return `heard ${more}`;
        signal.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    const id = await start();
    await read(id, isState("running"));
    const steer = (expectedTurn: number) => sessions.send(id, { text: "left", steer: { expectedTurn } }, ann);
    expect(await steer(7)).toMatchObject({ ok: false, code: "turn_changed" });
    expect(await steer(1)).toMatchObject({ ok: true });
    const said = (await read(id, isState("idle"))).filter(({ event }) => event === "message");
    expect(said.map(({ data }) => data.text)).toEqual(["go", "left", "heard left"]);
  });

  it("ends a turn whose budget is spent, with an error that says which", async () => {
    const { run } = await world(async ({ log }) => {
      for (;;) log.beginStep();
    });
    const { events, session } = await run({ budget: { turns: 5 } });
    const message = "The budget of this session is spent: 5 answers of the model.";
    const { data } = events.find(({ event }) => event === "error") ?? {};
    expect(data).toMatchObject({ code: "budget_spent", message });
    expect(session).toMatchObject({ end: "failed" });
  });

  it("lets one session at a time write in a folder, and those that only read share it", async () => {
    const { sessions, start } = await world(({ signal }) => untilCancelled(signal));
    const holder = await start();
    const second = await sessions.start({ prompt: "go", runner: "scripted" }, ann);
    expect(second).toMatchObject({ ok: false, code: "folder_busy", holder });
    await start({ mode: "plan" });
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

  it.for([".git", ".git/hooks", "sub/.git/modules/x", "link"])(
    "never has its folder inside of git's own: %s",
    async (place) => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "sessions-")));
      mkdirSync(join(root, ".git/hooks"), { recursive: true });
      mkdirSync(join(root, "sub/.git/modules/x"), { recursive: true });
      symlinkSync(join(root, ".git"), join(root, "link"));
      const { sessions } = await world(async () => "never", { gate: { roots: [root] }, roots: [root] });
      const message = expect.stringMatching(/is git's own folder\. Name the folder of the repository: /);
      for (const mode of ["act", "plan"] as const) {
        const wanted = { prompt: "go", runner: "scripted", cwd: join(root, place), mode };
        expect(await sessions.start(wanted, ann)).toMatchObject({ ok: false, code: "bad_request", message });
      }
    },
  );

  it("gives the same events to whoever comes back, from any place in the log", async () => {
    const { start, read } = await world(async ({ log, signal }, { calls }) => {
      for (let at = 0; at < 20; at++) {
        const itemId = log.newItem();
        for (const letter of "hello") log.delta(itemId, letter);
        await log.message(itemId, `hello ${at}`);
        await calls.run({ tool: "math.add", input: { a: at, b: 1 }, toolUseId: `t${at}`, signal });
      }
      return "end";
    });
    const id = await start();
    const isLogged = ({ id: eventId }: SessionEvent) => eventId !== undefined;
    const whole = (await read(id, isState("idle"))).filter(isLogged);
    const isLast = ({ id: eventId }: SessionEvent) => eventId === whole.at(-1)?.id;
    for (let at = 0; at < 100; at++) {
      const from = Math.floor(Math.random() * (whole.length - 1));
      const rest = await read(id, isLast, whole[from]?.id);
      expect(JSON.stringify(rest.filter(isLogged))).toBe(JSON.stringify(whole.slice(from + 1)));
    }
    const reset = await read(id, isLast, "elsewhere-3");
    expect(reset[0]?.event).toBe("reset");
    expect(JSON.stringify(reset.filter(isLogged))).toBe(JSON.stringify(whole));
  });

  it("is heard by its deltas as well, whose offsets fit", async () => {
    const { start, read } = await world(async ({ log }) => {
      const itemId = log.newItem();
      for (let at = 0; at < 300; at++) {
        log.delta(itemId, `${at},`);
        if (at % 30 === 0) await new Promise((resolve) => setTimeout(resolve, 12));
      }
      await log.message(itemId, "whole");
      return undefined;
    });
    let text = "";
    for (const { event, data } of await read(await start(), isState("idle"))) {
      if (event !== "message-delta") continue;
      expect(data.offset).toBe(text.length);
      text += data.text;
    }
    expect("0,1,2,3,".startsWith(text.slice(0, 8)) || text.startsWith("0,")).toBe(true);
  });

  it("is lost to nobody when its process closes: the turn is cancelled and it can be gone on with", async () => {
    const store = createMemorySessions();
    const { sessions, start, read } = await world(({ signal }) => untilCancelled(signal), { store });
    const id = await start();
    await read(id, isState("running"));
    await sessions.close();
    expect(await store.get(id)).toMatchObject({ state: "idle" });
    expect((await store.get(id))?.process).toBeUndefined();
    const next = await world(async () => "again", { store });
    await next.sessions.send(id, { text: "more" }, ann);
    await next.read(id, isIdleAfter(2));
  });
});

describe("those who follow a session", () => {
  /** What a reader gets of one turn, by its kinds. */
  async function followed(script: Script) {
    const { run } = await world(script);
    const { events } = await run();
    const kinds = events.flatMap(({ event, data }) =>
      event === "session" || data.role === "user" ? [] : [event === "message-delta" ? "delta" : event],
    );
    return { events, kinds };
  }
  const looking = (signal: AbortSignal) => ({ tool: "sky_look", input: {}, toolUseId: "t1", signal });

  it("see the call of a tool and its end before what the model says about it", async () => {
    const { events, kinds } = await followed(async ({ log, signal }, { calls }) => {
      const first = log.newItem();
      log.delta(first, "I look.");
      await log.message(first, "I look.");
      await calls.run(looking(signal));
      const second = log.newItem();
      log.delta(second, "It is ");
      // The result waits for company in the log longer than these words take.
      log.delta(second, "blue.");
      await new Promise((resolve) => setTimeout(resolve, 150));
      await log.message(second, "It is blue.");
      return undefined;
    });
    const joined = kinds.filter((kind, at) => kind !== "delta" || kinds[at - 1] !== "delta");
    expect(joined.join(" ")).toBe("delta message tool_use tool_result delta message completed");
    const said = events.filter(({ event }) => event === "message-delta").map(({ data }) => data.text);
    expect(said.join("")).toBe("I look.It is blue.");
  });

  it("see words that were held back only whole, when the message is done by then", async () => {
    const { kinds } = await followed(async ({ log, signal }, { calls }) => {
      await calls.run(looking(signal));
      const item = log.newItem();
      log.delta(item, "Blue");
      await log.message(item, "Blue.");
      return undefined;
    });
    expect(kinds).toEqual(["tool_use", "tool_result", "message", "completed"]);
  });
});
