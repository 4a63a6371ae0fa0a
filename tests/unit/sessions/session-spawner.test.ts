import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createGate } from "../../../src/gate/create-gate.ts";
import { createSessions, type Sessions } from "../../../src/sessions/create-sessions.ts";
import { createSessionSpawner } from "../../../src/sessions/session-spawner.ts";
import { createSpawn } from "../../../src/sources/builtin/task/spawn.ts";
import { type Script, scriptedRunner } from "./scripted-runner.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "spawn-")));
const ann = { id: "ann", capabilities: ["*"] };

async function world(script: Script, maxRunning = 1) {
  let sessions: Sessions | undefined;
  const spawner = createSessionSpawner(() => sessions);

  const gate = await createGate({
    roots: [folder],
    enable: { enabledCategories: ["task"], ceilings: { task: "execute" } },
    policies: [{ name: "spawn", tools: "task.spawn", action: "approve" }],
  });
  gate.tools.register(createSpawn({ spawner }));
  sessions = await createSessions(gate, { runners: [scriptedRunner(script)], roots: [folder], maxRunning });
  return { sessions, spawner, gate };
}

const spawn = (signal: AbortSignal, prompt: string) => ({
  tool: "task.spawn",
  input: { tasks: [{ prompt }] },
  toolUseId: "t1",
  signal,
});

async function ended(sessions: Sessions, id: string) {
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { signal: reading.signal }))
    if (event === "session" && data.state === "ended") reading.abort();
  return sessions.items(id);
}

it("starts a child session for its parent's owner, without waiting for a place of its own", async () => {
  const { sessions } = await world(async ({ prompt, signal }, { calls, id, owner }) => {
    if (prompt !== "parent") return `${prompt} done for ${owner}`;
    const { content } = await calls.run(spawn(signal, "child"));
    return `${id} got ${JSON.stringify(content)}`;
  });
  const started = await sessions.start(
    { prompt: "parent", runner: "scripted", single: true, budget: { turns: 7 } },
    ann,
  );
  const id = started.ok ? started.session.id : "";
  const items = await ended(sessions, id);
  expect(String(items.at(-2)?.body.text)).toContain("child done for ann");
  const { sessions: children } = await sessions.list({ parent: id });
  expect(children).toMatchObject([
    { owner: "ann", depth: 1, budget: { turns: 7 }, state: "ended", end: "completed" },
  ]);
  expect(children[0]?.folder).toBeUndefined();
  await sessions.close();
});

it("goes only so deep", async () => {
  const { sessions } = await world(async ({ signal }, { calls }) => {
    const { content, isError } = await calls.run(spawn(signal, "deeper"));
    return `${isError} ${JSON.stringify(content)}`;
  });
  const started = await sessions.start({ prompt: "top", runner: "scripted", single: true }, ann);
  const items = await ended(sessions, started.ok ? started.session.id : "");
  expect(String(items.at(-2)?.body.text)).toContain("Sessions may start others 3 deep");
  await sessions.close();
});

it("cancels its children with the parent", async () => {
  const { sessions } = await world(async ({ prompt, signal }, { calls }) => {
    if (prompt === "parent") return String((await calls.run(spawn(signal, "child"))).isError);
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return undefined;
  });
  const started = await sessions.start({ prompt: "parent", runner: "scripted" }, ann);
  const id = started.ok ? started.session.id : "";
  let child = "";
  while (child === "") {
    const [found] = (await sessions.list({ parent: id, states: ["running"] })).sessions;
    child = found?.id ?? "";
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await sessions.cancel(id, "ann");
  await ended(sessions, child);
  expect(await sessions.get(child)).toMatchObject({ end: "cancelled" });
  await sessions.close();
});

it("is refused to whoever only names the session of another", async () => {
  const { sessions, spawner } = await world(async () => "hi");
  const started = await sessions.start({ prompt: "parent", runner: "scripted" }, ann);
  const sessionId = started.ok ? started.session.id : "";
  const end = await spawner.run(
    { prompt: "x", parent: { sessionId, caller: { id: "mallory", capabilities: ["*"] } } },
    { signal: new AbortController().signal, progress: () => {} },
  );
  expect(end).toEqual({ ok: false, summary: "Only the agent of a session can start sub-tasks." });
  expect((await sessions.list({ parent: sessionId })).sessions).toEqual([]);
  await sessions.close();
});
