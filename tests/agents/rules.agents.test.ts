/** Rules as the model and the disk of a real session see them. */
import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { callOnce, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const bash = (command: string) => ({ tool: "Bash", input: { command } });

describeClaudeCode("rules in a session of Claude Code", () => {
  it("block a shell command by a route: the model reads the message, the command did nothing", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-touch:
    tool: Bash
    pattern: "touch"
    message: Use the Write tool for new files.
`);
    const told = await callOnce(bench, bash("touch ran.txt"), { allow: ["Bash"] });
    expect(told).toMatchObject({
      isError: true,
      text: expect.stringContaining("Use the Write tool for new files."),
    });
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("block a page by a route that ships with toolgate: the model reads what to use instead", async () => {
    const bench = createWorkbench();
    const told = await callOnce(bench, {
      tool: "WebFetch",
      input: { url: "https://github.com/foo/bar/pull/123", prompt: "What is it about?" },
    });
    expect(told).toMatchObject({ isError: true, text: expect.stringContaining("gh pr view") });
  });

  it("leave a call that none concerns to the client's own permissions", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-curl: { tool: Bash, pattern: "^curl", message: "Use WebFetch." }
`);
    const asked = await callOnce(bench, bash("touch ran.txt"));
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining("needs approval") });
    expect(bench.has("project/ran.txt")).toBe(false);

    const allowed = await callOnce(bench, bash("touch ran.txt"), { allow: ["Bash"] });
    expect(allowed.isError).toBe(false);
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("approve by a policy what the client would have asked about", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
policies:
  touch-is-fine:
    tools: Bash
    action: approve
    conditions: [{ type: command, operator: startsWith, value: touch }]
`);
    const told = await callOnce(bench, bash("touch ran.txt"));
    expect(told.isError).toBe(false);
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("deny by a policy what hides behind env and bash -c", async () => {
    const bench = createWorkbench();
    mkdirSync(bench.path("project/keep"));
    bench.writeRules(`
policies:
  no-rm:
    tools: Bash
    action: deny
    reason: Nothing is deleted here.
    conditions: [{ type: command, operator: startsWith, value: rm -r }]
`);
    const told = await callOnce(bench, bash("true && env A=1 bash -c 'rm -r keep'"), { allow: ["Bash"] });
    expect(told).toMatchObject({ isError: true, text: expect.stringContaining("Nothing is deleted here.") });
    expect(bench.has("project/keep")).toBe(true);
  });

  it("rewrite a command: what runs is the new one, and only if the client would run that", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  other-name:
    tool: Bash
    pattern: "^touch before\\\\.txt$"
    action: rewrite
    rewrite: { command: touch after.txt }
`);
    const told = await callOnce(bench, bash("touch before.txt"), { allow: ["Bash"] });
    expect(told.isError).toBe(false);
    expect([bench.has("project/before.txt"), bench.has("project/after.txt")]).toEqual([false, true]);

    bench.remove("project/after.txt");
    const asked = await callOnce(bench, bash("touch before.txt"));
    expect(asked).toMatchObject({ isError: true, text: expect.stringMatching(/after\.txt.*needs approval/) });
    expect(bench.has("project/after.txt")).toBe(false);
  });

  it("refuse what a person would have to be asked about, and say so", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
policies:
  ask-first:
    tools: Bash
    action: ask
    reason: Production is not touched without a person.
    conditions: [{ type: command, operator: startsWith, value: touch }]
`);
    const told = await callOnce(bench, bash("touch ran.txt"), { allow: ["Bash"] });
    expect(told).toMatchObject({
      isError: true,
      text: expect.stringContaining("Production is not touched without a person."),
    });
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("tighten the silence of the rules with hooks.default", async () => {
    const bench = createWorkbench();
    bench.writeRules("hooks: { default: deny }\n");
    const told = await callOnce(bench, bash("touch ran.txt"), { allow: ["Bash"] });
    expect(told.isError).toBe(true);
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("judge each of several calls of one turn by itself", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-secret: { tool: Bash, pattern: "secret", message: "Not this file." }
`);
    const session = await runSession(
      bench,
      [
        [
          { ...bash("touch secret-1.txt"), id: "toolu_1" },
          { ...bash("touch plain.txt"), id: "toolu_2" },
          { ...bash("touch secret-2.txt"), id: "toolu_3" },
          { tool: "WebFetch", input: { url: "https://github.com/a/b/pull/1", prompt: "?" }, id: "toolu_4" },
        ],
        "Done.",
      ],
      { allow: ["Bash"] },
    );
    expect(["toolu_1", "toolu_2", "toolu_3", "toolu_4"].map((id) => session.result(id).isError)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(["secret-1.txt", "plain.txt", "secret-2.txt"].map((name) => bench.has(`project/${name}`))).toEqual(
      [false, true, false],
    );
  });

  it("judge a large call as a whole, and stop one that is too large to judge", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
policies:
  no-marker:
    tools: Write
    action: deny
    reason: The marker must not be written.
    conditions: [{ type: content, operator: contains, value: FORBIDDEN-MARKER }]
`);
    const write = (name: string, content: string) => ({
      tool: "Write",
      input: { file_path: bench.path(`project/${name}`), content },
      id: `toolu_${name}`,
    });
    const megabyte = "0123456789abcde\n".repeat(65_536);
    const session = await runSession(
      bench,
      [
        [
          write("plain", megabyte),
          write("marked", `${megabyte}FORBIDDEN-MARKER`),
          write("huge", megabyte.repeat(6)),
        ],
        "Done.",
      ],
      { allow: ["Write"] },
    );
    expect(session.result("toolu_plain").isError).toBe(false);
    expect(session.result("toolu_marked").text).toContain("The marker must not be written.");
    expect(session.result("toolu_huge").isError).toBe(true);
    expect(["plain", "marked", "huge"].filter((name) => bench.has(`project/${name}`))).toEqual(["plain"]);
  });

  it.for([
    ["in the foreground", false],
    ["in the background", true],
  ] as const)("hold for a sub-agent %s", async ([, background]) => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-touch: { tool: Bash, pattern: "touch", message: "Sub-agents write nothing either." }
`);
    const prompt = "SUB-AGENT-7: make the file.";
    const start = {
      description: "make it",
      prompt,
      subagent_type: "general-purpose",
      run_in_background: background,
    };
    const session = await runSession(bench, [{ tool: "Agent", input: start }, "Waiting.", "Done."], {
      allow: ["Bash"],
      conversations: [
        { when: "SUB-AGENT-7", script: [{ ...bash("touch ran.txt"), id: "toolu_inner" }, "I could not."] },
      ],
    });
    expect(session.result("toolu_inner")).toMatchObject({
      isError: true,
      text: expect.stringContaining("Sub-agents write nothing either."),
    });
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("hold for a tool of an MCP server, by its name", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
policies:
  no-drop: { tools: mcp__store__drop, action: deny, reason: "The store is only read." }
`);
    const server = {
      command: "node",
      args: [`${import.meta.dirname}/mcp-server.mjs`, bench.path("store.log")],
    };
    const session = await runSession(
      bench,
      [
        [
          { tool: "mcp__store__look", id: "toolu_look" },
          { tool: "mcp__store__drop", id: "toolu_drop" },
        ],
        "Done.",
      ],
      { allow: ["mcp__store"], args: ["--mcp-config", JSON.stringify({ mcpServers: { store: server } })] },
    );
    expect(session.result("toolu_look")).toMatchObject({ isError: false, text: "look ran" });
    expect(session.result("toolu_drop")).toMatchObject({
      isError: true,
      text: expect.stringContaining("The store is only read."),
    });
    expect(bench.read("store.log")).toBe("look\n");
  });
});
