import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { opencodeHook } from "../../../../src/agents/opencode/hook.ts";
import { place } from "../place.ts";

const call = {
  event: "PreToolUse",
  tool: "bash",
  input: { command: "ls" },
  session: "ses_1",
  call: "call_1",
  cwd: "/project",
};

const read = (value: unknown) =>
  opencodeHook.read(typeof value === "string" ? value : JSON.stringify(value), place);

describe("a call that our plugin sends", () => {
  it("is read with everything that it says", () => {
    expect(read({ ...call, agent: "ses_2", agentType: "general", version: "1.18.33" })).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "bash",
        input: { command: "ls" },
        mode: "act",
        sessionId: "ses_1",
        toolUseId: "call_1",
        cwd: "/project",
        agentVersion: "1.18.33",
        agentId: "ses_2",
        agentType: "general",
      },
    });
  });

  it("is read after it ran, too, with what came of it", () => {
    const ended = read({ ...call, event: "PostToolUse", response: "done" });
    expect(ended).toMatchObject({ ok: true, input: { event: "PostToolUse", response: "done" } });
  });

  it("may be no call but a new task", () => {
    const read1 = read({ event: "UserPromptSubmit", session: "ses_1", cwd: "/project" });
    expect(read1).toMatchObject({ ok: true, input: { event: "UserPromptSubmit", sessionId: "ses_1" } });
  });

  it.each([
    ["no JSON", "{"],
    ["no object", []],
    ["another event", { ...call, event: "tool_call" }],
    ["no tool", { ...call, tool: "" }],
    ["no input", { ...call, input: undefined }],
    ["an input that is no object", { ...call, input: ["ls"] }],
    ["a key twice", '{"event":"PreToolUse","tool":"bash","input":{"command":"ls","command":"rm"}}'],
  ])("is refused with %s", (_what, value) => {
    expect(read(value).ok).toBe(false);
  });
});

describe("a tool of an MCP server", () => {
  const named = (tool: string, servers: readonly string[]) => read({ ...call, tool, servers });

  it("is named as in rules, and keeps the agent's own name", () => {
    expect(named("my_store_drop_all", ["other", "my_store"])).toMatchObject({
      ok: true,
      input: { tool: "mcp__my_store__drop_all", agentTool: "my_store_drop_all" },
    });
  });

  it("is found by the server's name as the agent writes it", () => {
    expect(named("my_store_drop", ["my.store"])).toMatchObject({ input: { tool: "mcp__my_store__drop" } });
  });

  it("is none when no server has such a name", () => {
    expect(named("todo_write", ["store"])).toMatchObject({ input: { tool: "todo_write" } });
    expect(named("store_", ["store"])).toMatchObject({ input: { tool: "store_" } });
  });

  it("is refused when it could be another server's, or the agent's own", () => {
    expect(named("git_hub_push", ["git", "git_hub"])).toEqual({
      ok: false,
      message:
        "git_hub_push could be a tool of the MCP server git or of the MCP server git_hub. Give the server another name.",
    });
    expect(named("apply_patch", ["apply"])).toMatchObject({ ok: false });
  });

  it("is refused where nobody says which servers there are, if it could be one of theirs", () => {
    expect(read({ ...call, tool: "store_drop" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("which servers it has"),
    });
    expect(read({ ...call, tool: "apply_patch" })).toMatchObject({
      ok: true,
      input: { tool: "apply_patch" },
    });
    expect(read({ ...call, tool: "bash" })).toMatchObject({ ok: true, input: { tool: "bash" } });
  });
});

describe("an answer to our plugin", () => {
  const say = (decision: Partial<AgentDecision>, event: "PreToolUse" | "PostToolUse" = "PreToolUse") =>
    opencodeHook.write(
      event,
      { verdict: "abstain", contexts: [], warnings: [], ...decision },
      { command: "y" },
    );

  it("is silence where there is nothing to say", () => {
    expect(say({})).toEqual({ stdout: "", stderr: "", exitCode: 0 });
    expect(say({ verdict: "allow", reason: "fine" })).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("denies with the reason, the blocking exit code, and what the person should know", () => {
    expect(say({ verdict: "deny", reason: "No.", warnings: ["Look."], input: { command: "x" } })).toEqual({
      stdout: '{"deny":"No.","notice":"Look."}\n',
      stderr: "No.\n",
      exitCode: 2,
    });
    // Nobody could be asked by the agent itself.
    expect(say({ verdict: "ask", reason: "Ann decides." }).exitCode).toBe(2);
    expect(say({ verdict: "deny" }).stdout).toBe('{"deny":"Blocked by toolgate."}\n');
  });

  it("changes the input, and must arrive then", () => {
    expect(say({ input: { command: "x" }, contexts: ["a", "b"] })).toEqual({
      stdout: '{"input":{"command":"x"},"context":"a\\n\\nb"}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
  });

  it("denies what a rule changed in a field that the call did not have", () => {
    expect(say({ input: { command: "y", file_path: "a" } })).toEqual({
      stdout: '{"deny":"A rule changes this call; run this instead: a"}\n',
      stderr: "A rule changes this call; run this instead: a\n",
      exitCode: 2,
    });
  });

  it("says after a call what the hooks said, and that the task is over", () => {
    const after = say({ contexts: ["a"], reason: "too large", taskEnd: "Enough." }, "PostToolUse");
    expect(after).toEqual({
      stdout: '{"end":"Enough.","context":"too large\\n\\na"}\n',
      stderr: "",
      exitCode: 0,
    });
  });
});
