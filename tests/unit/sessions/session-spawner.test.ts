import { expect, it } from "vitest";
import type { Sessions } from "../../../src/sessions/create-sessions.ts";
import { createSessionSpawner } from "../../../src/sessions/session-spawner.ts";
import { createSpawn } from "../../../src/sources/builtin/task/spawn.ts";
import type { Script } from "./scripted-runner.ts";
import { isState, sessionsWorld, untilCancelled } from "./sessions-world.ts";

async function world(script: Script) {
  let sessions: Sessions | undefined;
  const spawner = createSessionSpawner(() => sessions);
  const made = await sessionsWorld(script, {
    maxRunning: 1,
    gate: {
      tools: [createSpawn({ spawner })],
      enable: { enabledCategories: ["task"], ceilings: { task: "execute" } },
      policies: [{ name: "spawn", tools: "task.spawn", action: "approve" }],
    },
  });
  ({ sessions } = made);
  return { ...made, spawner };
}

const spawn = (signal: AbortSignal, prompt: string) => ({
  ...{ tool: "task.spawn", input: { tasks: [{ prompt }] }, toolUseId: "t1", signal },
});

it("starts a child session for its parent's owner, without waiting for a place of its own", async () => {
  const { sessions, run } = await world(async ({ prompt, signal }, { calls, id, owner }) => {
    if (prompt !== "parent") return `${prompt} done for ${owner}`;
    const { content } = await calls.run(spawn(signal, "child"));
    return `${id} got ${JSON.stringify(content)}`;
  });
  const { id, items } = await run({ prompt: "parent", budget: { turns: 7 } });
  expect(String(items.at(-2)?.body.text)).toContain("child done for ann");
  const { sessions: children } = await sessions.list({ parent: id });
  const end = { state: "ended", end: "completed" };
  expect(children).toMatchObject([{ owner: "ann", depth: 1, budget: { turns: 7 }, ...end }]);
  expect(children[0]?.folder).toBeUndefined();
});

it("goes only so deep", async () => {
  const { run } = await world(async ({ signal }, { calls }) => {
    const { content, isError } = await calls.run(spawn(signal, "deeper"));
    return `${isError} ${JSON.stringify(content)}`;
  });
  const { items } = await run();
  expect(String(items.at(-2)?.body.text)).toContain("Sessions may start others 3 deep");
});

it("cancels its children with the parent", async () => {
  const { sessions, start, read } = await world(async ({ prompt, signal }, { calls }) =>
    prompt === "parent" ? String((await calls.run(spawn(signal, "child"))).isError) : untilCancelled(signal),
  );
  const parent = await start({ prompt: "parent" });
  const running = async () => (await sessions.list({ parent, states: ["running"] })).sessions[0]?.id;
  await expect.poll(running).toBeDefined();
  const child = (await running()) ?? "";
  await sessions.cancel(parent, "ann");
  await read(child, isState("ended"));
  expect(await sessions.get(child)).toMatchObject({ end: "cancelled" });
});

it("is refused to whoever only names the session of another", async () => {
  const { sessions, spawner, start } = await world(async () => "hi");
  const sessionId = await start();
  const end = await spawner.run(
    { prompt: "x", parent: { sessionId, caller: { id: "mallory", capabilities: ["*"] } } },
    { signal: new AbortController().signal, progress: () => {} },
  );
  expect(end).toEqual({ ok: false, summary: "Only the agent of a session can start sub-tasks." });
  expect((await sessions.list({ parent: sessionId })).sessions).toEqual([]);
});
