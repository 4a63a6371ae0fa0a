/** An agent over ACP tells the gate what its calls are about. What a model wrote into a title must not speak for a call. */
import { describe, expect, it } from "vitest";
import { acpWorld, bash } from "../unit/sessions/runners/acp/acp-world.ts";

const names = ["toolgate_fs_read", "mcp__toolgate__fs_read", "fs_read (toolgate MCP Server)"];

describe("a call of the agent's own", () => {
  it.each(names)(
    "that is called %s is none of the gate's tools, where its kind says otherwise",
    async (title) => {
      const world = await acpWorld();
      const id = await world.start([["ask", { ...bash("c1", "rm -rf ~"), title }]], { tools: true });
      await world.until(id, "idle");
      const log = await world.log(id);
      expect(log).toContain("message [c1: selected no]");
      expect(log.some((line) => line.startsWith("tool_result execute false own_tools_off"))).toBe(true);
    },
  );

  it("does something, though it has the name of a tool that does nothing", async () => {
    const world = await acpWorld();
    const call = { ...bash("c1", "cat /etc/shadow"), name: "todowrite", title: "TodoWrite" };
    const id = await world.start([["ask", call]]);
    await world.until(id, "idle");
    expect(await world.log(id)).toContain("message [c1: selected no]");
  });
});

describe("an agent that does not come up", () => {
  it("ends with the turn that waits for it", async () => {
    const world = await acpWorld({ flags: ["mute"], startTimeoutMs: 60_000 });
    const id = await world.start("hello");
    await world.until(id, "starting");
    await world.sessions.cancel(id, "ann", { turn: 1 });
    expect(await world.sessions.get(id)).toMatchObject({ state: "idle", agentProcess: undefined });
  });

  it("ends when the time of the turn is up", async () => {
    const world = await acpWorld({ flags: ["mute"], startTimeoutMs: 60_000 });
    const id = await world.start("hello", { budget: { timeMs: 300 } });
    await world.until(id, "idle");
    expect(await world.log(id)).toContain("error budget_spent: The budget of this session is spent: 300 ms.");
  });
});

it("keeps no more agents that wait for a message than twice those that may run", async () => {
  const world = await acpWorld({ sessions: { maxRunning: 1 } });
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const id = await world.start("hi", { mode: "plan" });
    await world.until(id, "idle");
    ids.push(id);
  }
  const live = async () => {
    const all = await Promise.all(ids.map((id) => world.sessions.get(id)));
    return all.map((session) => session?.agentProcess !== undefined);
  };
  await expect.poll(live).toEqual([false, false, false, true, true]);
  await world.send(ids[0] ?? "", "again");
  await world.until(ids[0] ?? "", "idle", 2);
  expect(await world.log(ids[0] ?? "")).toContain("message you said again");
});
