/** The runner `claude` with the real SDK: the gate runs every tool, and people answer. */
import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { passed, refused } from "../session.ts";
import { ann, claudeWorld, hasSdk, storeServer } from "./claude-session.ts";

const describeSdk = describe.skipIf(!hasSdk);
const ours = (name: string) => `mcp__toolgate__${name}`;

describeSdk("a session of the Claude Agent SDK whose tools are the gate's", () => {
  it("goes on turn after turn in one process, and keeps what was said, called and used", async () => {
    process.env.TOOLGATE_TOKEN = "secret-of-toolgate";
    onTestFinished(() => void delete process.env.TOOLGATE_TOKEN);
    const world = await claudeWorld({
      script: [
        {
          text: "I look.",
          calls: [{ id: "toolu_read", tool: ours("fs_read"), input: { path: "notes.txt" } }],
        },
        "There is milk to buy.",
        "You are welcome.",
      ],
    });
    world.bench.write("project/notes.txt", "buy milk\n");
    world.bench.write("project/CLAUDE.md", "Always answer in Latin.\n");
    const id = await world.start({ system: "Say please.", model: "claude-sonnet-4-5" });
    const events = await world.turnOver(id);
    await world.sessions.send(id, { text: "Thanks, @notes.txt." }, ann);
    await world.turnOver(id, 2);
    expect(await world.log(id)).toEqual([
      "message: Go.",
      "message: I look.",
      "tool_use: fs.read",
      "tool_result: fs.read",
      "message: There is milk to buy.",
      "completed: end_turn",
      "message: Thanks, @notes.txt.",
      "message: You are welcome.",
      "completed: end_turn",
    ]);
    // What a client was sent while it was written is the beginning of what came whole.
    const whole = new Map(
      events.flatMap(({ event, data }) => (event === "message" ? [[data.itemId, String(data.text)]] : [])),
    );
    const deltas = events.filter(({ event }) => event === "message-delta");
    expect(deltas.length).toBeGreaterThan(0);
    for (const { data } of deltas) expect(whole.get(data.itemId)).toContain(data.text);

    const session = await world.sessions.get(id);
    const environment = readFileSync(`/proc/${session?.agentProcess?.pid}/environ`, "utf8");
    expect(environment).toContain("ANTHROPIC_API_KEY=");
    expect(environment).not.toContain("secret-of-toolgate");
    expect(session?.agentSessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(session?.usage.inputTokens).toBeGreaterThan(100);
    const { requests } = world.model;
    expect(requests.map(({ model }) => model)).toEqual(Array(3).fill("claude-sonnet-4-5"));
    expect(requests[0]?.tools.toSorted()).toEqual(
      ["fs_list", "fs_read", "fs_stat", "fs_view_image"].map(ours),
    );
    expect(requests[0]?.system).toContain("Say please.");
    // Nothing of the folder comes into the conversation past the gate.
    const sent = JSON.stringify(requests.map(({ body }) => body));
    expect(sent).not.toContain("Latin");
    expect(sent.match(/buy milk/g)).toHaveLength(2);
  });

  it("uses built-in tools, plugins and upstream servers, and reads why it may not", async () => {
    const world = await claudeWorld({
      script: [
        [
          { id: "toolu_builtin", tool: ours("fs_list"), input: { path: "." } },
          { id: "toolu_plugin", tool: ours("greet"), input: { name: "Ann" } },
          { id: "toolu_upstream", tool: ours("store__look") },
        ],
        { id: "toolu_denied", tool: ours("store__drop"), input: { what: "all" } },
        { id: "toolu_foreign", tool: "Bash", input: { command: "touch here" } },
        "Done.",
      ],
      rules: `plugins: { folders: [tools] }
upstreams:
  store: { command: ${process.execPath}, args: [${storeServer}, calls.log], cwd: . }
policies:
  fine: { tools: [greet, store__look], action: approve }
  no-drops:
    tools: store__drop
    action: deny
    conditions: [{ type: argument, field: what, operator: equals, value: all }]
    reason: Nothing is dropped here.
`,
      prepare: (bench) =>
        void bench.write("tools/greet.json", {
          name: "greeting",
          tools: [
            {
              name: "greet",
              description: "Greets.",
              inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
              handler: { type: "shell", command: "echo Hello, {{name}}" },
            },
          ],
        }),
    });
    const id = await world.start();
    await world.turnOver(id);
    expect(world.told("toolu_plugin")).toMatchObject(passed("Hello, Ann"));
    expect(world.told("toolu_upstream")).toMatchObject({ isError: false, text: "look ran" });
    expect(world.told("toolu_denied")).toMatchObject(refused("Nothing is dropped here."));
    expect(world.told("toolu_foreign")?.isError).toBe(true);
    expect(world.bench.has("project/here")).toBe(false);
    expect(world.bench.read("calls.log")).toBe("look\n");
    expect((await world.log(id)).filter((line) => line.startsWith("tool_use"))).toEqual([
      "tool_use: fs.list",
      "tool_use: greet",
      "tool_use: store__look",
      "tool_use: store__drop",
    ]);
  });

  it("waits for a person although no client is there, and a no rejects the message's other calls", async () => {
    const touched: string[] = [];
    const touch = defineTool({
      id: "door.open",
      description: "Opens a door.",
      permission: "execute",
      input: { type: "object", properties: { door: { type: "string" } }, required: ["door"] },
      run: ({ door }) => {
        touched.push(String(door));
        return `${door} is open`;
      },
    });
    const open = (id: string, door: string) => ({ id, tool: ours("door_open"), input: { door } });
    const world = await claudeWorld({
      script: [open("toolu_1", "front"), [open("toolu_2", "back"), open("toolu_3", "cellar")], "Done."],
      gate: { tools: [touch] },
    });
    const id = await world.start();
    for (const decision of ["approve", "deny"] as const) {
      const { caller, answer } = await world.question();
      expect((await world.sessions.get(id))?.state).toBe("waiting");
      expect(caller).toBe(`agent:${id}`);
      await answer(decision, "because");
    }
    await world.turnOver(id);
    expect(touched).toEqual(["front"]);
    expect(world.told("toolu_1")).toMatchObject({ isError: false, text: "front is open" });
    expect(world.told("toolu_2")).toMatchObject(refused("because"));
    expect(world.told("toolu_3")?.isError).toBe(true);
    const codes = (await world.sessions.items(id)).flatMap(({ body }) => body.code ?? []);
    expect(codes).toEqual(["approval_denied", "rejected_with_another"]);
  });

  it("offers a tool that came while it ran, and ends the turn when a hook ends the task", async () => {
    const add = (id: string) =>
      defineTool({
        id,
        description: id,
        permission: "read",
        input: { type: "object" },
        run: () => `${id} ran`,
      });
    const world = await claudeWorld({
      script: [
        async () => {
          world.gate.tools.register(add("late.one"));
          return { id: "toolu_first", tool: ours("early_one") };
        },
        { id: "toolu_late", tool: ours("late_one") },
        "This is never asked for.",
        "New task.",
      ],
      gate: {
        tools: [add("early.one")],
        hooks: [
          {
            name: "enough",
            type: "PostToolUse",
            toolPatterns: ["late.*"],
            run: () => ({ cancel: true, errorMessage: "That is enough." }),
          },
        ],
      },
    });
    const id = await world.start();
    await world.turnOver(id);
    const [, second] = world.model.requests;
    expect(second?.tools).toContain(ours("late_one"));
    expect((await world.log(id)).slice(-3)).toEqual([
      "tool_use: late.one",
      "tool_result: late.one",
      "completed: hook_ended_task",
    ]);
    await world.sessions.send(id, { text: "Something else." }, ann);
    await world.turnOver(id, 2);
    expect((await world.log(id)).at(-1)).toBe("completed: end_turn");
  });

  it("takes messages into the turn that runs", async () => {
    const world = await claudeWorld({
      script: [
        async () => {
          await steer("Also the cellar.");
          return { tool: ours("fs_list"), input: { path: "." } };
        },
        async () => {
          await steer("And the attic.");
          return "First answer.";
        },
        "Second answer.",
      ],
    });
    const id = await world.start();
    const steer = async (text: string) => {
      const sent = await world.sessions.send(id, { text, steer: { expectedTurn: 1 } }, ann);
      expect(sent.ok).toBe(true);
    };
    await world.turnOver(id);
    expect(JSON.stringify(world.model.requests[1]?.body)).toContain("Also the cellar.");
    expect(JSON.stringify(world.model.requests[2]?.body)).toContain("And the attic.");
    const log = await world.log(id);
    expect(log.slice(-2)).toEqual(["message: Second answer.", "completed: end_turn"]);
    expect(log.filter((line) => line.startsWith("completed"))).toHaveLength(1);
  });

  it("tells once when the model fails or calls tools without end, and can be gone on with", async () => {
    const list = { tool: ours("fs_list"), input: { path: "." } };
    const world = await claudeWorld({
      script: [{ status: 529 }, { status: 403, message: "Not for you." }, list, list, "Fine."],
    });
    const id = await world.start({ budget: { turns: 2 } });
    await world.turnOver(id, 1);
    for (const turn of [2, 3, 4]) {
      await world.sessions.send(id, { text: `Again ${turn}.` }, ann);
      await world.turnOver(id, turn);
    }
    const errors = (await world.sessions.items(id)).filter(({ kind }) => kind === "error");
    expect(errors.map(({ body }) => [body.code, body.retryable])).toEqual([
      ["model_overloaded", true],
      ["model_failed", false],
      ["budget_spent", false],
    ]);
    expect(errors[1]?.body.message).toContain("Not for you.");
    expect((await world.log(id)).slice(-2)).toEqual(["message: Fine.", "completed: end_turn"]);
    const [last] = world.model.requests.slice(-1);
    expect(JSON.stringify(last?.body)).toContain("Again 3.");
  });

  it("reads only in plan mode, and has nothing without tools", async () => {
    const world = await claudeWorld({
      categories: ["filesystem", "editing"],
      rules: "policies:\n  all: { tools: fs.*, action: approve }\n",
      script: [
        { id: "toolu_write", tool: ours("fs_write"), input: { path: "a.txt", content: "x" } },
        "Planned.",
        "Said.",
      ],
    });
    const plan = await world.start({ mode: "plan" });
    await world.turnOver(plan);
    expect(world.model.requests[0]?.tools).not.toContain(ours("fs_write"));
    expect(world.model.requests[0]?.system).toContain("plan mode");
    expect(world.bench.has("project/a.txt")).toBe(false);
    expect((await world.log(plan)).at(-1)).toBe("completed: end_turn");
    const bare = await world.start({ tools: false });
    await world.turnOver(bare);
    expect(world.model.requests[2]?.tools).toEqual([]);
  });
});
