/** The form of Copilot CLI 1.0.102, as it was recorded. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentPlace } from "../../../../src/agents/agent.ts";
import type {
  AgentDecision,
  HookEvent,
  HookInput,
  ReadHookInput,
} from "../../../../src/agents/agent-hook.ts";
import { copilot } from "../../../../src/agents/copilot/agent.ts";
import { copilotHook } from "../../../../src/agents/copilot/hook.ts";

const nowhere = { home: "/nowhere", env: {}, projectDir: undefined };
const id = "c7b43aad-83f5-4132-b2d7-587ff5080ad6";

function sent(toolName: string, toolArgs: unknown, more: object = {}): string {
  return JSON.stringify({
    sessionId: id,
    timestamp: 1794908969044,
    cwd: "/work/shop",
    toolName,
    toolArgs,
    ...more,
  });
}

function taken(answer: ReadHookInput): ReadHookInput & { ok: true } {
  if (!answer.ok) throw new Error(answer.message);
  return answer;
}

const read = (text: string): HookInput => taken(copilotHook.read(text, nowhere)).input;
const refusal = (text: string, place: AgentPlace = nowhere) => {
  const answer = copilotHook.read(text, place);
  return answer.ok ? "" : answer.message;
};

describe("a call of Copilot", () => {
  it("is read with its session and its folder; it has no id", () => {
    expect(read(sent("bash", { command: "ls", mode: "sync" }))).toEqual({
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
    expect(read(sent("bash", { command: "ls" }, sub))).toMatchObject({
      sessionId: id,
      agentId: "sub",
      agentType: "general-purpose",
    });
  });

  it("starts a new task only at a person's word", () => {
    const prompt = { toolName: undefined, toolArgs: undefined, prompt: "go" };
    expect(read(sent("", {}, prompt))).toMatchObject({ event: "UserPromptSubmit", sessionId: id });
    const ofSub = { ...prompt, agentId: "sub", parentAgentId: id };
    expect(read(sent("", {}, ofSub)).sessionId).toBeUndefined();
  });

  it("that has ended is known by what it holds", () => {
    const ok = { toolResult: { resultType: "success", textResultForLlm: "hi" } };
    expect(read(sent("bash", {}, ok))).toMatchObject({ event: "PostToolUse", response: ok.toolResult });
    const failed = { toolResult: { resultType: "failure", textResultForLlm: "no" } };
    expect(read(sent("bash", {}, failed))).toMatchObject({ event: "PostToolUseFailure", error: "no" });
    expect(read(sent("bash", {}, { error: "no such tool" }))).toMatchObject({
      event: "PostToolUseFailure",
      error: "no such tool",
    });
  });

  it("whose arguments are text is read, too, and is never changed", () => {
    const decision: AgentDecision = { verdict: "abstain", input: { input: "b" }, contexts: [], warnings: [] };
    for (const [args, input] of [
      ['{"command":"ls"}', { command: "ls" }],
      ["*** Begin Patch\n", { input: "*** Begin Patch\n" }],
      ["[1]", { input: "[1]" }],
    ] as const) {
      const answer = taken(copilotHook.read(sent("apply_patch", args), nowhere));
      expect(answer.input.input).toEqual(input);
      const said = answer.speaker?.write("PreToolUse", decision, input);
      expect(said).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("run this instead: b") });
    }
  });

  it.each([
    ["without arguments", sent("bash", undefined)],
    ["whose arguments are a list", sent("bash", [])],
    ["whose arguments are null", sent("bash", null)],
    ["without a name", sent("", {})],
    ["that is no JSON", "{"],
    ["that is nothing", ""],
  ])("%s is refused", (_, text) => {
    expect(refusal(text)).not.toBe("");
  });
});

describe("a tool of an MCP server", () => {
  let home = "";
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  function placeWith(files: Readonly<Record<string, readonly string[]>>) {
    home = mkdtempSync(join(tmpdir(), "copilot-"));
    for (const [file, servers] of Object.entries(files)) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      const mcpServers = Object.fromEntries(servers.map((name) => [name, { command: "x" }]));
      writeFileSync(join(home, file), JSON.stringify({ mcpServers }));
    }
    return { home, env: {}, projectDir: join(home, "shop", "deep") };
  }
  const nameOf = (tool: string, place: AgentPlace) => taken(copilotHook.read(sent(tool, {}), place)).input;

  it("is found by the servers in Copilot's files, the person's and the project's", () => {
    const place = placeWith({
      ".copilot/mcp-config.json": ["two-part", "my.odd name"],
      "shop/.mcp.json": ["in-shop"],
      "shop/deep/.github/mcp.json": ["in-github"],
    });
    expect(nameOf("two-part-look-up", place)).toMatchObject({
      tool: "mcp__two-part__look-up",
      agentTool: "two-part-look-up",
    });
    expect(nameOf("my-odd-name-look", place).tool).toBe("mcp__my_odd_name__look");
    expect(nameOf("in-shop-look", place).tool).toBe("mcp__in-shop__look");
    expect(nameOf("in-github-look", place).tool).toBe("mcp__in-github__look");
    expect(nameOf("github-mcp-server-list_issues", place).tool).toBe("mcp__github-mcp-server__list_issues");
  });

  it("is found where COPILOT_HOME says", () => {
    const place = placeWith({ "moved/mcp-config.json": ["two-part"] });
    const env = { COPILOT_HOME: join(place.home, "moved") };
    expect(nameOf("two-part-look", { ...place, env }).tool).toBe("mcp__two-part__look");
  });

  it("of a server in no file is taken by its only dash, and refused where there are several", () => {
    expect(nameOf("store-look", nowhere).tool).toBe("mcp__store__look");
    expect(refusal(sent("my-store-look", {}))).toContain("not in Copilot's files");
    expect(refusal(sent("-look", {}))).not.toBe("");
  });

  it("that two servers could have, whose names become the same, is refused", () => {
    const place = placeWith({ ".copilot/mcp-config.json": ["my-srv"], "shop/.mcp.json": ["my.srv"] });
    expect(refusal(sent("my-srv-look", {}), place)).toContain("two MCP servers");
  });

  it("that two servers could have is refused", () => {
    const place = placeWith({ ".copilot/mcp-config.json": ["two", "two-part"] });
    expect(refusal(sent("two-part-look", {}), place)).toContain("two MCP servers");
    expect(nameOf("two-look", place).tool).toBe("mcp__two__look");
  });
});

const nothing = { contexts: [], warnings: [] };
function answer(decision: Partial<AgentDecision>, event: HookEvent = "PreToolUse", asked = {}) {
  return copilotHook.write(event, { ...nothing, verdict: "abstain", ...decision }, asked);
}
const silent = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to Copilot", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({ warnings: ["old rules"] })).toEqual(silent);
    expect(answer({ verdict: "allow" })).toEqual({ ...silent, stdout: '{"permissionDecision":"allow"}\n' });
  });

  it("denies by JSON and by exit code, and never asks", () => {
    for (const verdict of ["deny", "ask"] as const)
      expect(answer({ verdict, reason: "Use `gh`.", contexts: ["Look there."] })).toEqual({
        stdout: '{"permissionDecision":"deny","permissionDecisionReason":"Use `gh`.\\n\\nLook there."}\n',
        stderr: "Use `gh`.\n\nLook there.\n",
        exitCode: 2,
      });
  });

  it("changes the call, and that must arrive", () => {
    expect(answer({ input: { command: "ls" }, contexts: ["one", "two"] })).toEqual({
      ...silent,
      stdout: '{"modifiedArgs":{"command":"ls"},"additionalContext":"one\\n\\ntwo"}\n',
      mustArrive: true,
    });
  });

  it("after a call only adds a note: what the tool said stays", () => {
    const said = { contexts: ["one"], reason: "A hook failed.", taskEnd: "It is over." };
    for (const event of ["PostToolUse", "PostToolUseFailure"] as const)
      expect(answer(said, event)).toEqual({
        ...silent,
        stdout: '{"additionalContext":"one\\n\\nA hook failed.\\n\\nIt is over."}\n',
      });
    expect(answer(said, "UserPromptSubmit")).toEqual(silent);
    expect(answer({}, "PostToolUse")).toEqual(silent);
  });

  it("is a denial in its own words when the hook breaks", () => {
    expect(JSON.parse(copilot.lastWords("broken"))).toEqual({
      permissionDecision: "deny",
      permissionDecisionReason: "broken",
    });
  });
});
