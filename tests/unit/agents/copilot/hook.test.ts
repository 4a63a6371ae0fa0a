/** The form of Copilot CLI 1.0.102, as it was recorded. */
import { describe, expect, it } from "vitest";
import { copilotHook } from "../../../../src/agents/copilot/hook.ts";
import { createWorld } from "../claude-code/world.ts";
import { denies, rewrites, says, silence, talkingTo, whole } from "../talking.ts";

const id = "c7b43aad-83f5-4132-b2d7-587ff5080ad6";
const sent = (toolName: string, toolArgs: unknown, more: object = {}) => ({
  sessionId: id,
  timestamp: 1794908969044,
  cwd: "/work/shop",
  toolName,
  toolArgs,
  ...more,
});
const { read, taken, refusal, answer } = talkingTo(copilotHook);

describe("a call of Copilot", () => {
  it("is read with its session and its folder; it has no id", () => {
    expect(taken(sent("bash", { command: "ls", mode: "sync" }))).toEqual({
      event: "PreToolUse",
      tool: "bash",
      input: { command: "ls", mode: "sync" },
      mode: "act",
      sessionId: id,
      cwd: "/work/shop",
    });
  });

  it("of a sub-agent belongs to the session that started it", () => {
    const sub = { sessionId: "sub", agentId: "sub", agentType: "general-purpose", parentAgentId: id };
    expect(taken(sent("bash", { command: "ls" }, sub))).toMatchObject({
      sessionId: id,
      agentId: "sub",
      agentType: "general-purpose",
    });
  });

  it("starts a new task only at a person's word", () => {
    const prompt = { toolName: undefined, toolArgs: undefined, prompt: "go" };
    expect(taken(sent("", {}, prompt))).toMatchObject({ event: "UserPromptSubmit", sessionId: id });
    const ofSub = { ...prompt, agentId: "sub", parentAgentId: id };
    expect(taken(sent("", {}, ofSub)).sessionId).toBeUndefined();
  });

  const success = { resultType: "success", textResultForLlm: "hi" };
  it.for<readonly [object, object]>([
    [{ toolResult: success }, { event: "PostToolUse", response: success }],
    [
      { toolResult: { resultType: "failure", textResultForLlm: "no" } },
      { event: "PostToolUseFailure", error: "no" },
    ],
    [{ error: "no such tool" }, { event: "PostToolUseFailure", error: "no such tool" }],
  ])("that has ended is known by what it holds: %j", ([more, input]) => {
    expect(taken(sent("bash", {}, more))).toMatchObject(input);
  });

  it.for<readonly [string, object]>([
    ['{"command":"ls"}', { command: "ls" }],
    ["*** Begin Patch\n", { input: "*** Begin Patch\n" }],
    ["[1]", { input: "[1]" }],
  ])("whose arguments are text is read, too, and is never changed: %j", ([args, input]) => {
    const { input: seen, speaker } = whole(read(sent("apply_patch", args)));
    expect(seen.input).toEqual(input);
    const said = talkingTo({ ...copilotHook, ...speaker }).answer({ input: { input: "b" } }, input);
    expect(said).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("run this instead: b") });
  });

  it.each([
    ["without arguments", sent("bash", undefined)],
    ["whose arguments are a list", sent("bash", [])],
    ["whose arguments are null", sent("bash", null)],
    ["without a name", sent("", {})],
    ["that is no JSON", "{"],
    ["that is nothing", ""],
  ])("%s is refused", (_, call) => expect(refusal(call)).not.toBe(""));
});

describe("a tool of an MCP server", () => {
  function placeWith(files: Readonly<Record<string, readonly string[]>>) {
    const { write, request, path } = createWorld();
    for (const [file, servers] of Object.entries(files))
      write(file, { mcpServers: Object.fromEntries(servers.map((name) => [name, { command: "x" }])) });
    return { ...request, projectDir: path("project/shop/deep") };
  }

  it.for<readonly [string, string]>([
    ["two-part-look-up", "mcp__two-part__look-up"],
    ["my-odd-name-look", "mcp__my_odd_name__look"],
    ["in-shop-look", "mcp__in-shop__look"],
    ["in-github-look", "mcp__in-github__look"],
    ["github-mcp-server-list_issues", "mcp__github-mcp-server__list_issues"],
  ])(
    "is found by the servers in Copilot's files, the person's and the project's: %s",
    ([agentTool, tool]) => {
      const place = placeWith({
        "home/.copilot/mcp-config.json": ["two-part", "my.odd name"],
        "project/shop/.mcp.json": ["in-shop"],
        "project/shop/deep/.github/mcp.json": ["in-github"],
      });
      expect(taken(sent(agentTool, {}), place)).toMatchObject({ tool, agentTool });
    },
  );

  it("is found where COPILOT_HOME says", () => {
    const place = placeWith({ "home/moved/mcp-config.json": ["two-part"] });
    const env = { COPILOT_HOME: `${place.home}/moved` };
    expect(taken(sent("two-part-look", {}), { ...place, env }).tool).toBe("mcp__two-part__look");
  });

  it("of a server in no file is taken by its only dash, and refused where there are several", () => {
    expect(taken(sent("store-look", {})).tool).toBe("mcp__store__look");
    expect(refusal(sent("my-store-look", {}))).toContain("not in Copilot's files");
    expect(refusal(sent("-look", {}))).not.toBe("");
  });

  it("that two servers could have, whose names become the same, is refused", () => {
    const place = placeWith({
      "home/.copilot/mcp-config.json": ["my-srv"],
      "project/shop/.mcp.json": ["my.srv"],
    });
    expect(refusal(sent("my-srv-look", {}), place)).toContain("two MCP servers");
  });

  it("that two servers could have is refused", () => {
    const place = placeWith({ "home/.copilot/mcp-config.json": ["two", "two-part"] });
    expect(refusal(sent("two-part-look", {}), place)).toContain("two MCP servers");
    expect(taken(sent("two-look", {}), place).tool).toBe("mcp__two__look");
  });
});

describe("the answer to Copilot", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({ warnings: ["old rules"] })).toEqual(silence);
    expect(answer({ verdict: "allow" })).toEqual(says({ permissionDecision: "allow" }));
  });

  it("denies by JSON and by exit code", () => {
    const text = "Use `gh`.\n\nLook there.";
    expect(answer({ verdict: "deny", reason: "Use `gh`.", contexts: ["Look there."] })).toEqual(
      denies(text, { permissionDecision: "deny", permissionDecisionReason: text }),
    );
  });

  it("changes the call, and that must arrive", () => {
    const said = { modifiedArgs: { command: "ls" }, additionalContext: "one\n\ntwo" };
    expect(answer({ input: { command: "ls" }, contexts: ["one", "two"] })).toEqual(rewrites(said));
  });

  it("after a call only adds a note: what the tool said stays", () => {
    const said = { contexts: ["one"], reason: "A hook failed.", taskEnd: "It is over." };
    const note = says({ additionalContext: "one\n\nA hook failed.\n\nIt is over." });
    for (const event of ["PostToolUse", "PostToolUseFailure"] as const)
      expect(answer(said, {}, event)).toEqual(note);
    expect(answer(said, {}, "UserPromptSubmit")).toEqual(silence);
    expect(answer({}, {}, "PostToolUse")).toEqual(silence);
  });
});
