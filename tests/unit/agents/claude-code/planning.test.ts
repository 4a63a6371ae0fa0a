import { describe, expect, it } from "vitest";
import { createHookWorld, type HookWorld } from "../../surfaces/hook/hook-world.ts";

const plan = { permission_mode: "plan" };

async function isLetPass(world: HookWorld, call: object): Promise<boolean> {
  const env = { CLAUDE_PROJECT_DIR: world.project };
  return (await world.claude({ ...plan, ...call }, { env })).exitCode === 0;
}

describe("a sub-agent in plan mode", () => {
  const start = (input: object, tool_name = "Agent") => ({
    tool_name,
    tool_input: { description: "look", prompt: "Look around.", ...input },
  });

  it.each([
    {},
    { subagent_type: "Explore" },
    { subagent_type: "Plan", model: "haiku", run_in_background: false },
  ])("is started with %j", async (input) => {
    const world = createHookWorld();
    expect(await isLetPass(world, start(input))).toBe(true);
    expect(await isLetPass(world, start(input, "Task"))).toBe(true);
  });

  it.each([
    { isolation: "worktree" },
    { isolation: "remote" },
    { mode: "acceptEdits" },
    { something: "new" },
  ])("is not started with %j", async (input) => {
    expect(await isLetPass(createHookWorld(), start(input))).toBe(false);
  });

  it("does no more than read itself, and is nobody else's", async () => {
    const world = createHookWorld();
    const inside = { agent_id: "a1", agent_type: "Explore" };
    const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, ...inside });
    expect(await isLetPass(world, bash("npm ls"))).toBe(true);
    expect(await isLetPass(world, bash("touch x"))).toBe(false);
    expect(await isLetPass(world, start({}, "spawn_agent"))).toBe(false);
    // The bare form: nobody has said whose sub-agents they are.
    expect((await world.run({ ...start({}), ...plan })).exitCode).toBe(2);
  });
});

describe("the tools of a toolgate that the client has as a server, in plan mode", () => {
  const own = { command: "toolgate", args: ["mcp"] };
  const call = (tool: string, source = "user", server = "toolgate") => ({
    tool_name: `mcp__${server}__${tool}`,
    tool_input: { path: "a.txt" },
    mcp_server: { name: server, source },
  });
  const setUp = (servers: object, more: object = {}) => {
    const world = createHookWorld();
    world.write(`${world.home}/.claude.json`, JSON.stringify({ mcpServers: servers, ...more }));
    return world;
  };

  it.each(["fs_read", "fs_list", "search_grep", "git_log", "web_fetch", "tools_search", "code_definitions"])(
    "read: %s",
    async (tool) => {
      expect(await isLetPass(setUp({ toolgate: own }), call(tool))).toBe(true);
    },
  );

  it.each([
    ...["fs_write", "shell_exec", "tools_call", "mcp_call", "mcp_resource_read", "task_mode", "task_spawn"],
    ...["code_diagnostics", "skill_load", "fs_read__x", "store__look"],
  ])("do not do more: %s", async (tool) => {
    expect(await isLetPass(setUp({ toolgate: own }), call(tool))).toBe(false);
  });

  it.each([
    ["npx", ["-y", "toolgate", "mcp"]],
    ["/opt/bin/toolgate", ["mcp", "--workspace", "/work"]],
    ["/usr/bin/node", ["/opt/toolgate/dist/cli.js", "mcp"]],
  ])("are known by how they are started: %s %j", async (command, args) => {
    expect(await isLetPass(setUp({ gate: { command, args } }), call("fs_read", "user", "gate"))).toBe(true);
  });

  it.each([
    ["./toolgate", ["mcp"]],
    ["node_modules/.bin/toolgate", ["mcp"]],
    ["node", ["dist/cli.js", "mcp"]],
    ["toolgate", ["serve"]],
    ["sh", ["-c", "toolgate mcp; rm -rf x"]],
    ["toolgate-like", ["mcp"]],
  ])("are not those of another program: %s %j", async (command, args) => {
    expect(await isLetPass(setUp({ toolgate: { command, args } }), call("fs_read"))).toBe(false);
  });

  it("are not those of a server that a repository or a command line names so", async () => {
    const world = setUp({ toolgate: own });
    world.write(".mcp.json", JSON.stringify({ mcpServers: { toolgate: own } }));
    for (const source of ["project", "dynamic", "plugin", "sdk"])
      expect([source, await isLetPass(world, call("fs_read", source))]).toEqual([source, false]);
    const { mcp_server: _, ...nameless } = call("fs_read");
    expect(await isLetPass(world, nameless)).toBe(false);
    expect(await isLetPass(world, { ...call("fs_read"), tool_name: "mcp__other__fs_read" })).toBe(false);
  });

  it("are found among the servers of the project that only the person has", async () => {
    const world = createHookWorld();
    const projects = { [world.project]: { mcpServers: { "my gate": own } } };
    world.write(`${world.home}/.claude.json`, JSON.stringify({ projects }));
    const mine = { ...call("fs_read", "local", "my gate"), tool_name: "mcp__my_gate__fs_read" };
    expect(await isLetPass(world, mine)).toBe(true);
    expect(await isLetPass(world, { ...mine, mcp_server: { name: "my gate", source: "user" } })).toBe(false);
  });

  it.for([
    ["http://127.0.0.1:4655/mcp", true],
    ["http://localhost:4655/mcp", true],
    ["http://127.0.0.1:4656/mcp", false],
    ["http://127.0.0.1.example.com:4655/mcp", false],
    ["https://127.0.0.1:4655/mcp", false],
    ["http://127.0.0.1:4655/mcp/../x", false],
  ] as const)(
    "are those of the server that runs here, by the address that it wrote down: %s",
    async ([url, isOurs]) => {
      const world = setUp({ toolgate: { type: "http", url } });
      expect(await isLetPass(world, call("fs_read"))).toBe(false);
      const address = `${world.home}/.local/state/toolgate/hook.addr`;
      world.write(address, "toolgate-hook 2 127.0.0.1 4655 t k end\n");
      expect(await isLetPass(world, call("fs_read"))).toBe(isOurs);
    },
  );

  it("are asked about rules as ever", async () => {
    const world = setUp({ toolgate: own });
    world.user(
      "policies: {no: {tools: mcp__toolgate__fs_read, action: deny, modes: [plan], reason: Not now.}}\n",
    );
    expect(await isLetPass(world, call("fs_read"))).toBe(false);
    expect(await isLetPass(world, { ...call("fs_read"), permission_mode: "default" })).toBe(true);
  });
});
