/** Sessions and their sub-tasks keep to the limits, the folder and the messages that they were given. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate } from "../../src/gate/create-gate.ts";
import { createSessions, type Sessions, type SessionsOptions } from "../../src/sessions/create-sessions.ts";
import { createSessionSpawner } from "../../src/sessions/session-spawner.ts";
import type { StartSession } from "../../src/sessions/start/start-session.ts";
import { createBuiltinTools } from "../../src/sources/builtin/builtin-tools.ts";
import { createSpawn } from "../../src/sources/builtin/task/spawn.ts";
import { type Script, scriptedRunner } from "../unit/sessions/scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };

/** `top` holds the folder that sessions may work in, `root`, and one that they may not, `outside`. */
async function world(script: Script, more: Partial<SessionsOptions> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "sessions-")));
  const [root, outside] = [join(top, "root"), join(top, "outside")];
  for (const folder of [root, join(root, "work"), outside]) mkdirSync(folder);
  let sessions: Sessions | undefined;
  const builtin = createBuiltinTools({ editing: { stateFolder: join(top, "state") } });
  const gate = await createGate({
    tools: builtin.tools.filter(({ id }) => id.startsWith("fs.")),
    roots: [root, outside],
    enable: { enabledCategories: ["task", "editing"], ceilings: { task: "execute" } },
    policies: [{ name: "all", tools: ["task.spawn", "fs.*"], action: "approve" }],
  });
  gate.tools.register(createSpawn({ spawner: createSessionSpawner(() => sessions) }));
  const runner = scriptedRunner(script);
  const made = await createSessions(gate, { runners: [runner], roots: [root], ...more });
  sessions = made;
  onTestFinished(async () => {
    await made.close();
    await gate.close();
    await builtin.close();
    rmSync(top, { recursive: true, force: true });
  });
  const start = async (request: Partial<StartSession> = {}) => {
    const started = await made.start({ prompt: "parent", runner: "scripted", cwd: root, ...request }, ann);
    if (!started.ok) throw new Error(started.message);
    return started.session.id;
  };
  return { sessions: made, runner, start, top, root, work: join(root, "work"), outside };
}

/** When this is so of the session. */
async function until(sessions: Sessions, id: string, state: string, turn = 0) {
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { signal: reading.signal }))
    if (event === "session" && data.state === state && Number(data.turn ?? 0) >= turn) reading.abort();
  return sessions.get(id);
}

const spawn = (signal: AbortSignal, count: number, id = "t") => ({
  tool: "task.spawn",
  input: { tasks: Array.from({ length: count }, () => ({ prompt: "child" })) },
  toolUseId: id,
  signal,
});

const single = { single: true };
const ended = (sessions: Sessions, id: string) => until(sessions, id, "ended");

describe("sub-tasks are no way around the limits of the session that starts them", () => {
  it("counts sub-tasks as sessions of the owner, also those that start at one moment", async () => {
    let most = 0;
    let now = 0;
    const { sessions, start } = await world(
      async ({ prompt, signal }, { calls }) => {
        if (prompt === "parent") {
          const many = Array.from({ length: 12 }, (_, index) => calls.run(spawn(signal, 5, `t${index}`)));
          return String((await Promise.all(many)).length);
        }
        most = Math.max(most, ++now);
        await sleep(50);
        now--;
        return "done";
      },
      { maxPerOwner: 20, maxRunning: 4 },
    );
    const id = await start(single);
    await ended(sessions, id);
    const { sessions: children } = await sessions.list({ parent: id, limit: 500 });
    expect(children.length).toBeLessThan(20);
    expect(most).toBeLessThanOrEqual(4);
  });

  it("gives all sub-tasks together no more tokens than the session has left", async () => {
    const { sessions, start } = await world(async ({ prompt, signal, log }, { calls }) => {
      log.beginStep();
      await log.usage({ inputTokens: 100, outputTokens: 0 });
      if (prompt === "parent")
        for (let time = 0; time < 8; time++) await calls.run(spawn(signal, 1, `t${time}`));
      return "done";
    });
    const id = await start({ ...single, budget: { tokens: 350 } });
    const parent = await ended(sessions, id);
    const { sessions: children } = await sessions.list({ parent: id });
    expect(children.filter(({ end }) => end === "completed")).toHaveLength(3);
    expect(parent?.usage).toEqual({ inputTokens: 400, outputTokens: 0 });
  });

  it("lets nobody lower what was used", async () => {
    const { sessions, start } = await world(async ({ log }) => {
      log.beginStep();
      await log.usage({ inputTokens: 50, outputTokens: 0 });
      await log.usage({ inputTokens: -1_000_000, outputTokens: Number.NaN });
      log.beginStep();
      return "done";
    });
    const session = await ended(sessions, await start({ ...single, budget: { tokens: 50 } }));
    expect([session?.usage, session?.error?.code]).toEqual([
      { inputTokens: 50, outputTokens: 0 },
      "budget_spent",
    ]);
  });

  it("goes on with no sub-task by itself: another may hold the folder by now", async () => {
    const { sessions, start } = await world(async ({ prompt, signal }, { calls }) => {
      if (prompt === "parent") await calls.run(spawn(signal, 1));
      return "done";
    });
    const id = await start(single);
    await ended(sessions, id);
    const [child] = (await sessions.list({ parent: id })).sessions;
    const sent = await sessions.send(child?.id ?? "", { text: "and again", resume: true }, ann);
    expect(sent).toMatchObject({ ok: false, code: "session_ended", hint: expect.stringContaining(id) });
  });

  it("works in the work tree of the session, which outlives its sub-tasks", async () => {
    const removed: string[] = [];
    const seen: string[] = [];
    let outside = "";
    const made = await world(
      async ({ prompt, signal }, { calls, cwd }) => {
        seen.push(cwd);
        if (prompt === "parent") await calls.run(spawn(signal, 1));
        return "done";
      },
      {
        makeWorktree: async () => outside,
        removeWorktree: async (path) => {
          removed.push(path);
          return { path, state: "removed" };
        },
      },
    );
    const { sessions, start, root } = made;
    outside = made.outside;
    const id = await start({ ...single, worktree: true });
    await ended(sessions, id);
    const [child] = (await sessions.list({ parent: id })).sessions;
    expect([seen, child?.project]).toEqual([[outside, outside], root]);
    await sessions.remove(child?.id ?? "", "ann");
    expect(removed).toEqual([]);
    await sessions.remove(id, "ann");
    expect(removed).toEqual([outside]);
  });

  it("ends no turn at once whose time is longer than a timer can be", async () => {
    const { sessions, start } = await world(async () => {
      await sleep(30);
      return "done";
    });
    const session = await ended(
      sessions,
      await start({ ...single, budget: { timeMs: Number.MAX_SAFE_INTEGER } }),
    );
    expect(session?.end).toBe("completed");
  });
});

describe("a session works in the folder that was allowed when it started, whatever is put in its place later", () => {
  const swap = (work: string, outside: string) => {
    writeFileSync(join(outside, "key.txt"), "TOPSECRET");
    renameSync(work, `${work}.before`);
    symlinkSync(outside, work);
  };
  const idle = async (sessions: Sessions, id: string, turn: number) => {
    await until(sessions, id, "idle", turn);
    return JSON.stringify(await sessions.items(id));
  };
  const call = (tool: string, input: object, signal: AbortSignal) => ({
    tool,
    input,
    toolUseId: tool,
    signal,
  });

  it("begins no turn where a link leads elsewhere", async () => {
    const { sessions, start, work, outside, runner } = await world(async () => "hi");
    const id = await start({ prompt: "one", cwd: work });
    await idle(sessions, id, 1);
    swap(work, outside);
    await sessions.send(id, { text: "two" }, ann);
    expect(await idle(sessions, id, 2)).toContain("folder_moved");
    expect(runner.seen).not.toContain("two");
  });

  it("makes no call through a link that was put there in the middle of a turn", async () => {
    let swapNow = () => {};
    const { sessions, start, work, outside } = await world(async ({ signal }, { calls }) => {
      swapNow();
      await calls.run(call("fs.read", { path: "key.txt" }, signal));
      await calls.run(call("fs.write", { path: "new.txt", content: "x" }, signal));
      return "done";
    });
    swapNow = () => swap(work, outside);
    const log = await idle(sessions, await start({ prompt: "one", cwd: work }), 1);
    expect(log).toContain("folder_moved");
    expect(log).not.toContain("TOPSECRET");
    expect(readdirSync(outside)).toEqual(["key.txt"]);
  });

  it("does not follow a link of a work tree's commit", async () => {
    const seen: string[] = [];
    const tree = realpathSync(mkdtempSync(join(tmpdir(), "tree-")));
    const { sessions, start, work, root, outside } = await world(
      async (_turn, { cwd }) => {
        seen.push(cwd);
        return "hi";
      },
      { makeWorktree: async () => tree },
    );
    symlinkSync(outside, join(tree, "work"));
    for (const folder of ["objects", "refs"]) mkdirSync(join(root, ".git", folder), { recursive: true });
    writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
    await idle(sessions, await start({ prompt: "one", cwd: work, worktree: true }), 1);
    expect(seen).toEqual([tree]);
  });
});

describe("what was accepted to go on with a session that has ended is worked on, unless somebody cancels it again", () => {
  async function endedBehindAnother() {
    const { sessions, runner, start } = await world(
      async ({ prompt, signal }) => {
        if (prompt === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "done";
      },
      { maxRunning: 1 },
    );
    const begin = (prompt: string, alone = false) => start({ prompt, single: alone, mode: "plan" });
    const id = await begin("first");
    await until(sessions, id, "idle");
    await sessions.cancel(id, "ann");
    const holder = await begin("wait");
    await until(sessions, holder, "running");
    return { sessions, runner, begin, id, holder };
  }

  it("loses no message of several that go on with it at one moment", async () => {
    const { sessions, runner, id, holder } = await endedBehindAnother();
    const texts = ["one", "two", "three"];
    const sent = await Promise.all(texts.map((text) => sessions.send(id, { text, resume: true }, ann)));
    expect(sent.map(({ ok }) => ok)).toEqual([true, true, true]);
    await sessions.cancel(holder, "ann");
    while (!texts.every((text) => runner.seen.includes(text))) await sleep(5);
  });

  it("is cancelled again while the message that goes on with it still waits", async () => {
    const { sessions, runner, begin, id, holder } = await endedBehindAnother();
    await sessions.send(id, { text: "again", resume: true }, ann);
    await sessions.cancel(id, "ann");
    await sessions.cancel(holder, "ann");
    await until(sessions, await begin("last", true), "ended");
    await sleep(50);
    expect(runner.seen).not.toContain("again");
  });
});
