/** Sessions of the real Claude Agent SDK whose agent keeps its own tools: the gate decides about every call. */
import { describe, expect, it } from "vitest";
import { passed, refused } from "../session.ts";
import { claudeWorld, commandsOf, hasSdk, processesOf } from "./claude-session.ts";

const describeSdk = describe.skipIf(!hasSdk);
const bash = (id: string, command: string, more: object = {}) => ({
  id,
  tool: "Bash",
  input: { command, description: "x", ...more },
});

describeSdk("a session of the Claude Agent SDK that keeps its own tools", () => {
  it("runs what the gate allows, as the gate has changed it, and nothing else", async () => {
    const world = await claudeWorld({
      rules: `routes:
  gentle: { tool: Bash, pattern: '^touch (\\S+) hard$', action: rewrite, rewrite: { command: 'touch $1' }, message: Gently. }
policies:
  touching: { tools: Bash, action: approve, conditions: [{ type: command, operator: matches, value: '^touch ' }] }
  no-python:
    tools: Bash
    action: deny
    priority: 10
    conditions: [{ type: command, operator: matches, value: python }]
    reason: No Python here.
`,
      gate: {
        hooks: [
          {
            name: "before",
            type: "PreToolUse",
            toolPatterns: ["*"],
            run: () => ({ contextModification: "Seen before." }),
          },
          {
            name: "after",
            type: "PostToolUse",
            toolPatterns: ["*"],
            run: () => ({ contextModification: "Seen after." }),
          },
        ],
      },
      script: [
        { text: "I try.", calls: [bash("toolu_python", "python3 -c 'print(40+2)'")] },
        bash("toolu_touch", "touch made hard"),
        { id: "toolu_read", tool: "Read", input: { file_path: "/etc/hostname" } },
        ({ messages }) => ({
          id: "toolu_notes",
          tool: "Read",
          input: { file_path: `${projectIn(messages)}/notes.txt` },
        }),
        "Done.",
      ],
    });
    world.bench.write("project/notes.txt", "buy milk\n");
    const id = await world.start({ tools: "agent", system: "Say please." });
    // Outside of the folder: a person is asked, and says no.
    await (await world.question()).answer("deny", "Private.");
    await world.turnOver(id);
    expect(world.told("toolu_python")).toMatchObject(refused("No Python here."));
    expect(world.told("toolu_touch")?.isError).toBe(false);
    expect(world.bench.has("project/made")).toBe(true);
    expect(world.bench.has("project/hard")).toBe(false);
    expect(world.told("toolu_read")).toMatchObject(refused("Private."));
    const system = world.model.systemMessages().join("\n");
    expect(system).toContain("Seen before.");
    expect(system).toContain("Seen after.");
    expect(world.model.requests[0]?.tools).toContain("Bash");
    expect(world.model.requests[0]?.tools).not.toContain("AskUserQuestion");
    expect(world.model.requests[0]?.system).toContain("Say please.");
    expect(world.told("toolu_notes")).toMatchObject(passed("buy milk"));
    const results = (await world.sessions.items(id)).filter(({ kind }) => kind === "tool_result");
    expect(results.map(({ body }) => [body.tool, body.ok, body.code])).toEqual([
      ["Bash", false, "policy_denied"],
      ["Bash", true, undefined],
      ["Read", false, "approval_denied"],
      ["Read", true, undefined],
    ]);
  });

  it("asks a person once, and lets the call run on a yes", async () => {
    const world = await claudeWorld({
      script: [
        ({ messages }) => ({
          id: "toolu_write",
          tool: "Write",
          input: { file_path: `${projectIn(messages)}/a.txt`, content: "hello" },
        }),
        bash("toolu_python", "python3 -c 'print(40+2)'"),
        "Done.",
      ],
    });
    const id = await world.start({ tools: "agent" });
    for (const tool of ["fs.write", "shell.exec"]) {
      const { toolId, caller, answer } = await world.question();
      expect([toolId, caller]).toEqual([tool, `agent:${id}`]);
      await answer("approve");
    }
    await world.turnOver(id);
    expect(world.bench.read("project/a.txt")).toBe("hello");
    expect(world.told("toolu_python")).toMatchObject({ isError: false, text: "42" });
    expect((await world.log(id)).at(-1)).toBe("completed: end_turn");
  });

  it("decides about the calls of sub-agents, too", async () => {
    const world = await claudeWorld({
      rules:
        "policies:\n  no-python: { tools: Bash, action: deny, conditions: [{ type: command, operator: matches, value: python }], reason: No Python here. }\n",
      script: (request) => {
        const isSub = JSON.stringify(request.body).includes("Count the plums");
        const isMain = request.messages[0]?.text.includes("Go.") === true;
        if (isMain)
          return request.toolResults.length > 0
            ? "Done."
            : {
                id: "toolu_agent",
                tool: "Agent",
                input: {
                  description: "Count",
                  prompt: "Count the plums.",
                  subagent_type: "general-purpose",
                  run_in_background: false,
                },
              };
        if (!isSub) return "?";
        return request.toolResults.length > 0
          ? "No plums."
          : bash("toolu_sub", "python3 -c 'print(1)' > plums");
      },
    });
    const id = await world.start({ tools: "agent" });
    await world.turnOver(id);
    expect(world.told("toolu_sub")).toMatchObject(refused("No Python here."));
    expect(world.told("toolu_agent")?.text).toContain("No plums.");
    expect(world.bench.has("project/plums")).toBe(false);
    expect((await world.log(id)).filter((line) => line.startsWith("message"))).toEqual([
      "message: Go.",
      "message: Done.",
    ]);
  });

  it("may only read in plan mode", async () => {
    const world = await claudeWorld({
      rules: "policies:\n  all: { tools: '*', action: approve }\n",
      script: [bash("toolu_touch", "touch made"), bash("toolu_ls", "ls"), "Planned."],
    });
    world.bench.write("project/notes.txt", "buy milk\n");
    const id = await world.start({ tools: "agent", mode: "plan" });
    await world.turnOver(id);
    expect(world.told("toolu_touch")).toMatchObject(refused("Plan mode"));
    expect(world.told("toolu_ls")).toMatchObject(passed("notes.txt"));
    expect(world.bench.has("project/made")).toBe(false);
  });

  it("ends its commands with the turn, also those in the background, and goes on afterwards", async () => {
    const [long, longer] = [200_000 + process.pid, 20_000_000 + process.pid];
    const world = await claudeWorld({
      rules: "policies:\n  sleeping: { tools: Bash, action: approve }\n",
      script: [
        bash("toolu_back", `sleep ${longer}`, { run_in_background: true }),
        bash("toolu_front", `tail -s ${long} -f notes.txt`),
        "Back again.",
      ],
    });
    world.bench.write("project/notes.txt", "buy milk\n");
    const id = await world.start({ tools: "agent" });
    const sleeping = () =>
      commandsOf().filter((line) => line === `tail -s ${long} -f notes.txt` || line === `sleep ${longer}`);
    await expect.poll(() => sleeping().length, { timeout: 60_000 }).toBe(2);
    await world.sessions.cancel(id, "ann", { turn: 1 });
    expect(sleeping()).toEqual([]);
    expect(processesOf(world.bench)).toEqual([]);
    await world.sessions.send(id, { text: "And now?" }, { id: "ann", capabilities: ["*"] });
    await world.turnOver(id, 2);
    expect((await world.log(id)).slice(-2)).toEqual(["message: Back again.", "completed: end_turn"]);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain("Go.");
  });
});

function projectIn(messages: readonly { readonly text: string }[]): string {
  return /working directory: (\S+)/.exec(messages.map(({ text }) => text).join("\n"))?.[1] ?? "";
}
