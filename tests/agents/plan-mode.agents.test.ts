/** Plan mode of the real client: it can plan, with its sub-agents and our reading tools, and nobody in it does more than read. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { bash, describeClaudeCode, passed, refused, runSession, type SessionOptions } from "./session.ts";
import { createWorkbench, root, type Workbench } from "./workbench.ts";

/** Without its own judge, which needs a real model; then the client's rules and our hook decide. */
function planBench(): Workbench {
  const bench = createWorkbench();
  bench.write(".claude/settings.json", { useAutoModeDuringPlan: false, disableAutoMode: "disable" });
  bench.write("project/a.txt", "the text of the file\n");
  return bench;
}

const planning = (more: SessionOptions = {}): SessionOptions => ({
  allow: ["Agent", "Bash", "Read", "Write", "mcp__toolgate", "TaskCreate", "TaskUpdate"],
  ...more,
  args: ["--permission-mode", "plan", ...(more.args ?? [])],
});

describeClaudeCode("plan mode in a session of Claude Code", () => {
  it.each(["Explore", "Plan", "general-purpose"])(
    "starts the sub-agent %s, which reads and does nothing else",
    async (subagent_type) => {
      const bench = planBench();
      const start = {
        description: "look around",
        prompt: "SUB-AGENT-7: look around.",
        subagent_type,
        run_in_background: false,
      };
      const session = await runSession(
        bench,
        [{ tool: "Agent", input: start, id: "toolu_agent" }, "Here is the plan."],
        planning({
          conversations: [
            {
              when: "SUB-AGENT-7",
              script: [
                [
                  bash("cat a.txt", "toolu_cat"),
                  bash("touch ran.txt", "toolu_touch"),
                  { tool: "Read", input: { file_path: bench.path("project/a.txt") }, id: "toolu_read" },
                ],
                "This is all.",
              ],
            },
          ],
        }),
      );
      expect(session.result("toolu_agent").text).toContain("This is all.");
      for (const id of ["toolu_cat", "toolu_read"])
        expect(session.result(id)).toMatchObject(passed("the text"));
      expect(session.result("toolu_touch")).toMatchObject(refused("Plan mode allows reading only."));
      expect(bench.has("project/ran.txt")).toBe(false);
    },
  );

  it("writes nothing through a sub-agent whose own file says that it may", async () => {
    const bench = planBench();
    bench.write(
      "project/.claude/agents/writer.md",
      "---\nname: writer\ndescription: writes\npermissionMode: acceptEdits\ntools: Write, Bash\n---\nYou write.\n",
    );
    const start = {
      description: "w",
      prompt: "SUB-AGENT-7: go.",
      subagent_type: "writer",
      run_in_background: false,
    };
    const session = await runSession(
      bench,
      [{ tool: "Agent", input: start, id: "toolu_agent" }, "Done."],
      planning({
        conversations: [
          { when: "SUB-AGENT-7", script: [bash("cp a.txt ran.txt", "toolu_copy"), "I could not."] },
        ],
      }),
    );
    expect(session.result("toolu_copy")).toMatchObject(refused("Plan mode allows reading only."));
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("keeps its lists, asks package managers, and is refused what writes", async () => {
    const bench = planBench();
    const session = await runSession(
      bench,
      [
        [
          {
            tool: "TaskCreate",
            input: { subject: "Look", description: "Look around", activeForm: "Looking" },
            id: "toolu_list",
          },
          bash("npm ls", "toolu_npm"),
          bash("npm install", "toolu_install"),
          { tool: "Monitor", input: { command: "touch ran.txt", description: "w" }, id: "toolu_monitor" },
          {
            tool: "Agent",
            input: { description: "w", prompt: "Go.", isolation: "worktree" },
            id: "toolu_worktree",
          },
        ],
        "Here is the plan.",
      ],
      planning({ allow: ["Bash", "Monitor", "Agent", "TaskCreate"], env: { CLAUDE_CODE_ENABLE_TASKS: "1" } }),
    );
    expect(session.result("toolu_list")).toMatchObject(passed("Look"));
    expect(session.result("toolu_npm").text).not.toContain("Plan mode");
    for (const id of ["toolu_install", "toolu_monitor", "toolu_worktree"])
      expect(session.result(id)).toMatchObject(refused("Plan mode allows reading only."));
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("reads with the tools of our own server, and does nothing else with them", async () => {
    const bench = planBench();
    const { code } = await bench.claude([
      ...["mcp", "add", "-s", "user", "toolgate", "--", process.execPath, join(root, "dist/cli.js"), "mcp"],
      ...["--enable-tool-categories", "editing"],
    ]);
    expect(code).toBe(0);
    const session = await runSession(
      bench,
      [
        [
          { tool: "mcp__toolgate__fs_read", input: { path: "a.txt" }, id: "toolu_read" },
          { tool: "mcp__toolgate__fs_write", input: { path: "ran.txt", content: "x" }, id: "toolu_write" },
        ],
        "Here is the plan.",
      ],
      planning(),
    );
    expect(session.result("toolu_read")).toMatchObject(passed("the text of the file"));
    expect(session.result("toolu_write")).toMatchObject(refused("Plan mode allows reading only."));
    expect(bench.has("project/ran.txt")).toBe(false);
  });
});
