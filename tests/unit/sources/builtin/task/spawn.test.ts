import { describe, expect, it } from "vitest";
import type { GateOptions } from "../../../../../src/index.ts";
import type { Spawner, SpawnRequest } from "../../../../../src/sources/builtin/task/ports.ts";
import { createSpawn } from "../../../../../src/sources/builtin/task/spawn.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

const options: GateOptions = {
  policies: [{ name: "all", tools: "*", action: "approve" }],
  roots: ["/tmp"],
  enable: { enableAll: true },
};

function helper(agents?: readonly string[]): Spawner & { readonly asked: SpawnRequest[] } {
  const asked: SpawnRequest[] = [];
  return {
    asked,
    ...(agents && { agents: () => agents }),
    run: async (request) => {
      asked.push(request);
      if (request.prompt === "break") throw new Error("lost");
      return { ok: request.prompt !== "fail", summary: `did ${request.prompt}` };
    },
  };
}

describeInput("task.spawn", () => createSpawn({ spawner: helper() }), {
  good: { tasks: [{ prompt: "x" }] },
  bad: [
    {},
    { tasks: [] },
    { tasks: [{ prompt: "" }] },
    { prompt: "a", message: "b" },
    { tasks: Array(6).fill("x") },
  ],
});

describe("task.spawn", () => {
  it("runs sub-tasks with the rights of their parent and nothing else", async () => {
    const spawner = helper();
    const { say } = await taskGate({ spawner }, options);
    const caller = { id: "agent", capabilities: ["fs:read"] };
    const said = await say(
      "task.spawn",
      { tasks: [{ prompt: "a", title: "First" }, { prompt: "b" }] },
      { caller },
    );
    expect(said).toBe("## First\ndid a\n\n## task 2\ndid b");
    expect(spawner.asked.map(({ prompt }) => prompt)).toEqual(["a", "b"]);
    expect(spawner.asked[0]?.parent).toMatchObject({ caller, sessionId: "s1", mode: "act", roots: ["/tmp"] });
  });

  it("keeps what the others found when one breaks", async () => {
    const { say } = await taskGate({ spawner: helper() }, options);
    const said = await say("task.spawn", { tasks: ["a", "break", "fail"] });
    expect(said).toContain("## task 1\ndid a");
    expect(said).toContain("## task 2 (failed)\nIt broke: lost");
    expect(said).toContain("## task 3 (failed)\ndid fail");
    expect(await say("task.spawn", { tasks: ["break"] })).toMatch(/^tool_failed /);
  });

  it("says that there is nobody to do it", async () => {
    const { say } = await taskGate({}, options);
    expect(await say("task.spawn", { prompt: "x" })).toMatch(/^no_spawner .*in this session/);
  });

  it("knows which kinds of agent there are", async () => {
    const spawner = helper(["explore"]);
    const { say } = await taskGate({ spawner }, options);
    expect(await say("task.spawn", { prompt: "x", agent: "hacker" })).toContain(
      'no agent "hacker". There are: explore.',
    );
    expect(spawner.asked).toEqual([]);
    expect(await say("task.spawn", { prompt: "x", agent: "explore" })).toContain("did x");
  });

  it("shortens what is too long to hand on", async () => {
    const spawner: Spawner = { run: async () => ({ ok: true, summary: "x".repeat(60_000) }) };
    const { say } = await taskGate({ spawner }, options);
    const said = await say("task.spawn", { tasks: ["a", "b"] });
    expect(said.length).toBeLessThan(51_000);
    expect(said).toContain("[cut: 60000 characters]");
  });

  it("lets the calls of a sub-task write while it waits for them", async () => {
    const { say, gate } = await taskGate(
      {
        spawner: {
          run: async () => {
            const outcome = await gate.dispatch({ tool: "task.spawn", input: { tasks: ["inner"] } });
            return { ok: true, summary: outcome.tool };
          },
        },
      },
      { ...options, limits: [{ name: "deep", tools: "task.spawn", per: "tool", concurrent: 2 }] },
    );
    expect(await say("task.spawn", { prompt: "outer" })).toContain("task.spawn");
  });

  it.each([
    ["new_task", { mode: "explore", message: "look", todos: "[ ] a" }],
    ["new_task", { context: "look" }],
    ["use_subagents", { prompt_1: "look" }],
    ["Task", { description: "Look", prompt: "look", subagent_type: "explore" }],
    ["Agent", { description: "Look", prompt: "look", subagent_type: "explore", model: "big" }],
    ["spawn_agent", { message: "look", agent_type: "explore", fork_context: true }],
    ["invoke_agent", { agent_name: "explore", prompt: "look" }],
  ])("takes a sub-task as %s writes it", async (name, input) => {
    const spawner = helper(["explore"]);
    const { say } = await taskGate({ spawner }, options);
    expect(await say(name, input)).toContain("did look");
  });

  it("takes prompt_1 to prompt_5 as sub-tasks side by side", async () => {
    const spawner = helper();
    const { say } = await taskGate({ spawner }, options);
    await say("use_subagents", { prompt_2: "b", prompt_1: "a" });
    expect(spawner.asked.map(({ prompt }) => prompt)).toEqual(["a", "b"]);
  });
});
