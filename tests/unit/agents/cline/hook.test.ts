import { describe, expect, it } from "vitest";
import { clineHook } from "../../../../src/agents/cline/hook.ts";
import { denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const call = { id: "call_1", name: "run_commands", input: { commands: ["ls", "pwd"] } };
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
  tool_call: call,
  preToolUse: { toolName: "run_commands", parameters: { commands: '["ls","pwd"]' } },
};
const { read, taken, answer } = talkingTo(clineHook);
const passing = (parameters: object) => ({
  hookName: "PreToolUse",
  preToolUse: { toolName: "use_mcp_tool", parameters },
});

describe("a call of Cline", () => {
  it("is read with its commands as a list", () => {
    expect(taken(sent)).toEqual({
      event: "PreToolUse",
      tool: "run_commands",
      input: { commands: ["ls", "pwd"] },
      mode: "act",
      sessionId: "task_1",
      cwd: "/project",
      agentVersion: "3.0.65",
      toolUseId: "call_1",
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
    expect(taken({ ...sent, tool_call: { ...call, input } }).input).toEqual(seen);
  });

  const ended = { hookName: "tool_result", tool_result: { ...call, output: "x", durationMs: 7 } };
  const preToolUse = { toolName: "execute_command", parameters: { command: "ls" } };
  it.for<readonly [string, object, object]>([
    ["of a sub-agent", { agent_id: "agent_2", parent_agent_id: "agent_1" }, { agentId: "agent_2" }],
    ["that ran", ended, { event: "PostToolUse", response: "x", durationMs: 7 }],
    [
      "that failed",
      { ...ended, tool_result: { ...ended.tool_result, error: "no" } },
      { event: "PostToolUseFailure", error: "no" },
    ],
    [
      "of an extension for editors",
      { workspaceRoots: ["/p"], hookName: "PreToolUse", preToolUse },
      { tool: "execute_command", input: { command: "ls" }, cwd: "/p" },
    ],
    [
      "that an extension passes on to a server",
      passing({ server_name: "store", tool_name: "drop", arguments: '{"all":true}' }),
      { tool: "mcp__store__drop", agentTool: "use_mcp_tool", input: { all: true } },
    ],
  ])("%s is read", ([, more, seen]) => expect(taken({ ...sent, ...more })).toMatchObject(seen));

  it.for<readonly [string, object]>([
    ["an event that is none", { hookName: "agent_start" }],
    ["no call", { tool_call: undefined }],
    ["no name", { tool_call: { input: {} } }],
    ["no input", { tool_call: { name: "editor" } }],
    ["an input that is no object", { tool_call: { name: "editor", input: ["a"] } }],
    ["arguments that are no JSON", passing({ server_name: "a", tool_name: "b", arguments: "{" })],
  ])("is refused with %s", ([, more]) => expect(read({ ...sent, ...more }).ok).toBe(false));
});

describe("a tool of an MCP server", () => {
  const named = (name: string, servers: readonly string[] = []) =>
    read({ ...sent, servers, tool_call: { id: "1", name, input: {} } });

  it("is named as in rules, and keeps the agent's own name", () => {
    const input = { tool: "mcp__store__drop", agentTool: "store__drop" };
    expect(named("store__drop")).toMatchObject({ input });
  });

  it("is found by the servers that Cline has, where its name says nothing clear", () => {
    expect(named("a__b__c", ["a__b"])).toMatchObject({ input: { tool: "mcp__a__b__c" } });
    expect(named("a__b__c", ["x"]).ok).toBe(false);
    expect(named("a__b__c", ["a", "a__b"]).ok).toBe(false);
  });
});

describe("an answer to Cline", () => {
  const asked = { command: "x" };

  it("is silence where there is nothing to say", () => {
    expect(answer({ verdict: "allow", warnings: ["for the person"] }, asked)).toEqual(silence);
  });

  it("cancels, also what a rule changed in a field that the call did not have", () => {
    const cancels = (text: string) => denies(text, { cancel: true, errorMessage: text });
    expect(answer({ verdict: "deny", reason: "No." }, asked)).toEqual(cancels("No."));
    expect(answer({ input: { command: "x", url: "y" } }, asked)).toEqual(
      cancels("A rule changes this call; run this instead: y"),
    );
  });

  it("changes the input, and says something to the model", () => {
    const said = { contextModification: "a", overrideInput: { command: "y" } };
    expect(answer({ input: { command: "y" }, contexts: ["a"] }, asked)).toEqual(rewrites(said));
  });

  it("ends the run after a call when the task is over", () => {
    const said = { cancel: true, errorMessage: "Enough." };
    expect(answer({ taskEnd: "Enough." }, asked, "PostToolUse")).toEqual(says(said));
  });
});
