/** Sub-tasks are no way around the limits of the session that starts them. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../../src/gate/create-gate.ts";
import { createSessions, type Sessions, type SessionsOptions } from "../../src/sessions/create-sessions.ts";
import { createSessionSpawner } from "../../src/sessions/session-spawner.ts";
import type { StartSession } from "../../src/sessions/start/start-session.ts";
import { createSpawn } from "../../src/sources/builtin/task/spawn.ts";
import { type Script, scriptedRunner } from "../unit/sessions/scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };
/** Not in the folders that sessions may work in. */
const outside = realpathSync(mkdtempSync(join(tmpdir(), "children-worktree-")));

async function world(script: Script, more: Partial<SessionsOptions> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "children-")));
  let sessions: Sessions | undefined;
  const spawner = createSessionSpawner(() => sessions);
  const gate = await createGate({
    roots: [folder, outside],
    enable: { enabledCategories: ["task"], ceilings: { task: "execute" } },
    policies: [{ name: "spawn", tools: "task.spawn", action: "approve" }],
  });
  gate.tools.register(createSpawn({ spawner }));
  const made = await createSessions(gate, { runners: [scriptedRunner(script)], roots: [folder], ...more });
  sessions = made;
  onTestFinished(async () => {
    await made.close();
    await gate.close();
  });
  const start = async (request: Partial<StartSession> = {}) => {
    const started = await made.start({ prompt: "parent", runner: "scripted", single: true, ...request }, ann);
    if (!started.ok) throw new Error(started.message);
    return started.session.id;
  };
  return { sessions: made, folder, start };
}

const spawn = (signal: AbortSignal, count: number, id = "t") => ({
  tool: "task.spawn",
  input: { tasks: Array.from({ length: count }, () => ({ prompt: "child" })) },
  toolUseId: id,
  signal,
});

async function ended(sessions: Sessions, id: string) {
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { signal: reading.signal }))
    if (event === "session" && data.state === "ended") reading.abort();
  return sessions.get(id);
}

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
  const id = await start();
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
  const id = await start({ budget: { tokens: 350 } });
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
  const session = await ended(sessions, await start({ budget: { tokens: 50 } }));
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
  const id = await start();
  await ended(sessions, id);
  const [child] = (await sessions.list({ parent: id })).sessions;
  const sent = await sessions.send(child?.id ?? "", { text: "and again", resume: true }, ann);
  expect(sent).toMatchObject({ ok: false, code: "session_ended", hint: expect.stringContaining(id) });
});

it("works in the work tree of the session, which outlives its sub-tasks", async () => {
  const removed: string[] = [];
  const seen: string[] = [];
  const { sessions, start, folder } = await world(
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
  const id = await start({ worktree: true });
  await ended(sessions, id);
  const [child] = (await sessions.list({ parent: id })).sessions;
  expect([seen, child?.project]).toEqual([[outside, outside], folder]);
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
  const session = await ended(sessions, await start({ budget: { timeMs: Number.MAX_SAFE_INTEGER } }));
  expect(session?.end).toBe("completed");
});
