import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { clineHook } from "../../../../src/agents/cline/hook.ts";
import { place } from "../place.ts";

/** As Cline 3.0.65 hands it to a file hook; our plugin sends the same, with the names of the servers. */
const sent = {
  clineVersion: "3.0.65",
  timestamp: "2026-11-17T10:00:00.000Z",
  taskId: "task_1",
  sessionContext: { rootSessionId: "task_1" },
  workspaceRoots: ["/project"],
  userId: "ann",
  agent_id: "agent_1",
  parent_agent_id: null,
  hookName: "tool_call",
  iteration: 1,
  tool_call: { id: "call_1", name: "run_commands", input: { commands: ["ls", "pwd"] } },
  preToolUse: { toolName: "run_commands", parameters: { commands: '["ls","pwd"]' } },
};

const read = (value: unknown) => clineHook.read(JSON.stringify(value), place);

describe("a call of Cline", () => {
  it("is read with its commands as a list", () => {
    expect(read(sent)).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "run_commands",
        input: { commands: ["ls", "pwd"] },
        mode: "act",
        sessionId: "task_1",
        cwd: "/project",
        agentVersion: "3.0.65",
        toolUseId: "call_1",
      },
    });
  });

  it.each([
    [{ commands: ["ls"] }, { command: "ls" }],
    [{ commands: "ls" }, { command: "ls" }],
    [{ command: "ls" }, { command: "ls" }],
    [{ cmd: "ls" }, { command: "ls" }],
    [{ command: "rm", args: ["-rf", "a b"] }, { command: "rm -rf 'a b'" }],
    [{ commands: [{ command: "rm", args: ["-rf", "/"] }, "ls"] }, { commands: ["rm -rf /", "ls"] }],
    [{ commands: ["a"], command: "b", cmd: "c" }, { commands: ["a", "b", "c"] }],
    // What cannot be read stays for the rules to be strict with.
    [{ commands: [{ command: "rm", args: [1] }] }, { commands: [{ command: "rm", args: [1] }] }],
    [{ commands: [["rm"]] }, { commands: [["rm"]] }],
    [{}, {}],
  ])("is read with the commands that it runs: %j", (input, seen) => {
    const read1 = read({ ...sent, tool_call: { id: "1", name: "run_commands", input } });
    expect(read1).toMatchObject({ ok: true });
    expect(read1.ok && read1.input.input).toEqual(seen);
  });

  it("says when a sub-agent makes it", () => {
    const read1 = read({ ...sent, agent_id: "agent_2", parent_agent_id: "agent_1" });
    expect(read1).toMatchObject({ ok: true, input: { agentId: "agent_2" } });
  });

  it("is read after it ran, or failed", () => {
    const tool_result = { ...sent.tool_call, output: "x", durationMs: 7 };
    expect(read({ ...sent, hookName: "tool_result", tool_result })).toMatchObject({
      input: { event: "PostToolUse", response: "x", durationMs: 7 },
    });
    expect(
      read({ ...sent, hookName: "tool_result", tool_result: { ...tool_result, error: "no" } }),
    ).toMatchObject({ input: { event: "PostToolUseFailure", error: "no" } });
  });

  it("is read as the extensions for editors send it", () => {
    const preToolUse = { toolName: "execute_command", parameters: { command: "ls" } };
    expect(read({ taskId: "1", workspaceRoots: ["/p"], hookName: "PreToolUse", preToolUse })).toMatchObject({
      input: { tool: "execute_command", input: { command: "ls" }, cwd: "/p" },
    });
    const passedOn = { server_name: "store", tool_name: "drop", arguments: '{"all":true}' };
    expect(
      read({ hookName: "PreToolUse", preToolUse: { toolName: "use_mcp_tool", parameters: passedOn } }),
    ).toMatchObject({ input: { tool: "mcp__store__drop", agentTool: "use_mcp_tool", input: { all: true } } });
  });

  it.each([
    ["an event that is none", { ...sent, hookName: "agent_start" }],
    ["no call", { ...sent, tool_call: undefined }],
    ["no name", { ...sent, tool_call: { input: {} } }],
    ["no input", { ...sent, tool_call: { name: "editor" } }],
    ["an input that is no object", { ...sent, tool_call: { name: "editor", input: ["a"] } }],
    [
      "arguments that are no JSON",
      {
        hookName: "PreToolUse",
        preToolUse: {
          toolName: "use_mcp_tool",
          parameters: { server_name: "a", tool_name: "b", arguments: "{" },
        },
      },
    ],
  ])("is refused with %s", (_what, value) => {
    expect(read(value).ok).toBe(false);
  });
});

describe("a tool of an MCP server", () => {
  const named = (name: string, servers: readonly string[] = []) =>
    read({ ...sent, servers, tool_call: { id: "1", name, input: {} } });

  it("is named as in rules, and keeps the agent's own name", () => {
    expect(named("store__drop")).toMatchObject({
      input: { tool: "mcp__store__drop", agentTool: "store__drop" },
    });
  });

  it("is found by the servers that Cline has, where its name says nothing clear", () => {
    expect(named("a__b__c", ["a__b"])).toMatchObject({ input: { tool: "mcp__a__b__c" } });
    expect(named("a__b__c", ["x"]).ok).toBe(false);
    expect(named("a__b__c", ["a", "a__b"]).ok).toBe(false);
  });
});

describe("an answer to Cline", () => {
  const asked = { command: "x" };
  const say = (decision: Partial<AgentDecision>, event: HookEvent = "PreToolUse") =>
    clineHook.write(event, { verdict: "abstain", contexts: [], warnings: [], ...decision }, asked);

  it("is silence where there is nothing to say", () => {
    expect(say({ verdict: "allow", warnings: ["for the person"] })).toEqual({
      stdout: "",
      stderr: "",
      exitCode: 0,
    });
  });

  it("cancels", () => {
    expect(say({ verdict: "deny", reason: "No." })).toEqual({
      stdout: '{"cancel":true,"errorMessage":"No."}\n',
      stderr: "No.\n",
      exitCode: 2,
    });
    expect(say({ verdict: "ask" }).stdout).toBe('{"cancel":true,"errorMessage":"Blocked by toolgate."}\n');
  });

  it("changes the input, and says something to the model", () => {
    expect(say({ input: { command: "y" }, contexts: ["a"] })).toEqual({
      stdout: '{"contextModification":"a","overrideInput":{"command":"y"}}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
  });

  it("cancels what a rule changed in a field that the call did not have", () => {
    const { stdout, exitCode } = say({ input: { command: "x", url: "y" } });
    expect(stdout).toContain("run this instead: y");
    expect(exitCode).toBe(2);
  });

  it("ends the run after a call when the task is over", () => {
    expect(say({ taskEnd: "Enough." }, "PostToolUse").stdout).toBe(
      '{"cancel":true,"errorMessage":"Enough."}\n',
    );
  });
});
