/** The form of Grok 1.0.41, as it was recorded. */
import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent, HookInput } from "../../../../src/agents/agent-hook.ts";
import { grok } from "../../../../src/agents/grok/agent.ts";
import { grokHook } from "../../../../src/agents/grok/hook.ts";

const place = { home: "/home/ann", env: {}, projectDir: undefined };
const id = "01a1e8ec-f174-7eb0-ae7a-1782177e3b64";

/** What it sends, in both spellings. */
function sent(toolName: string, toolInput: unknown, more: object = {}): string {
  return JSON.stringify({
    hookEventName: "pre_tool_use",
    sessionId: id,
    cwd: "/work/shop",
    workspaceRoot: "/work/shop",
    timestamp: "2026-11-17T09:48:40.711700920+00:00",
    transcriptPath: "/home/ann/.grok/sessions/updates.jsonl",
    permissionMode: "bypassPermissions",
    toolName,
    toolUseId: "call_0",
    toolInput,
    toolInputTruncated: false,
    hook_event_name: "PreToolUse",
    session_id: id,
    permission_mode: "bypassPermissions",
    tool_name: toolName,
    tool_input: toolInput,
    tool_use_id: "call_0",
    ...more,
  });
}

function read(text: string): HookInput {
  const answer = grokHook.read(text, place);
  if (!answer.ok) throw new Error(answer.message);
  return answer.input;
}

const refusal = (text: string) => {
  const answer = grokHook.read(text, place);
  return answer.ok ? "" : answer.message;
};

describe("a call of Grok", () => {
  it("is read with its session, its id and its folder", () => {
    expect(read(sent("run_terminal_command", { command: "ls", description: "x" }))).toEqual({
      event: "PreToolUse",
      tool: "run_terminal_command",
      input: { command: "ls", description: "x" },
      mode: "act",
      permissionMode: "bypassPermissions",
      sessionId: id,
      toolUseId: "call_0",
      cwd: "/work/shop",
    });
  });

  it("of which only the beginning came is refused", () => {
    const beginning = '{"file_path":"/work/shop/big.txt","content":"aaaaaa';
    const message = refusal(sent("write", beginning, { toolInputTruncated: true }));
    expect(message).toContain("shows only the beginning");
    expect(refusal(sent("write", { file_path: "a" }, { toolInputTruncated: true }))).toBe(message);
  });

  it.each([
    ["without an input", sent("write", undefined)],
    ["whose input is text", sent("write", "{}")],
    ["whose input is a list", sent("write", [])],
    ["without a name", sent("", {})],
    ["of an event that nobody knows", sent("write", {}, { hookEventName: "pre_everything" })],
    ["of an event of another spelling", sent("write", {}, { hookEventName: "PreToolUse" })],
    ["that is no JSON", "{"],
    ["that is nothing", ""],
    ["with a key twice", '{"hookEventName":"pre_tool_use","toolName":"a","toolName":"b","toolInput":{}}'],
  ])("%s is refused", (_, text) => {
    expect(refusal(text)).not.toBe("");
  });

  it("of an MCP server's tool has the name and the input that rules know", () => {
    const wrapped = { tool_name: "store__look", tool_input: { shelf: 1 } };
    expect(read(sent("store__look", wrapped))).toMatchObject({
      tool: "mcp__store__look",
      agentTool: "store__look",
      input: { shelf: 1 },
    });
  });

  it("of an MCP server's tool may be the tool's input itself", () => {
    expect(read(sent("store__look", { shelf: 1 }))).toMatchObject({
      tool: "mcp__store__look",
      input: { shelf: 1 },
    });
  });

  it("of an MCP server's tool whose input is not where it should be is refused: no rule would see its fields", () => {
    for (const input of [
      { tool_name: "store__drop", tool_input: { shelf: 1 } },
      { tool_name: " store__look", tool_input: { shelf: 1 } },
      { tool_name: "store__look", tool_input: '{"shelf":1}' },
      { tool_input: { shelf: 1 } },
    ])
      expect(refusal(sent("store__look", input))).toContain("no rule could look at it");
  });

  it("that Grok only passes on is that of its target", () => {
    const wrapped = { tool_name: "store__look", tool_input: { shelf: 1 } };
    expect(read(sent("use_tool", wrapped))).toMatchObject({ tool: "mcp__store__look", input: { shelf: 1 } });
    for (const target of [undefined, "", "look", 1])
      expect(refusal(sent("use_tool", { ...wrapped, tool_name: target }))).not.toBe("");
  });

  it("of a sub-agent says so", () => {
    expect(read(sent("run_terminal_command", { command: "ls" }, { subagentType: "explore" }))).toMatchObject({
      agentType: "explore",
      agentId: id,
    });
  });

  it("in plan mode is one", () => {
    expect(read(sent("write", {}, { permissionMode: "plan" })).mode).toBe("plan");
  });

  it("that has ended brings what the model reads, not its bytes as numbers", () => {
    const toolResult = { type: "Bash", output: [104, 105], output_for_prompt: "exit: 0\nhi", exit_code: 0 };
    const after = { hookEventName: "post_tool_use", toolResult, durationMs: 9 };
    expect(read(sent("run_terminal_command", { command: "echo hi" }, after))).toMatchObject({
      event: "PostToolUse",
      response: { type: "Bash", output_for_prompt: "exit: 0\nhi", exit_code: 0 },
      durationMs: 9,
    });
    expect(
      read(sent("a", {}, { hookEventName: "post_tool_use_failure", error: "no such tool" })),
    ).toMatchObject({ event: "PostToolUseFailure", error: "no such tool" });
  });

  it("starts a new task only at a person's word", () => {
    const prompt = { hookEventName: "user_prompt_submit", prompt: "go", toolName: undefined };
    expect(read(sent("", undefined, prompt))).toMatchObject({ event: "UserPromptSubmit", sessionId: id });
    expect(read(sent("", undefined, { ...prompt, subagentType: "explore" })).sessionId).toBeUndefined();
  });
});

const nothing = { contexts: [], warnings: [] };
function answer(decision: Partial<AgentDecision>, event: HookEvent = "PreToolUse", asked = {}) {
  return grokHook.write(event, { ...nothing, verdict: "abstain", ...decision }, asked);
}
const silent = { stdout: "", stderr: "", exitCode: 0 };

describe("the answer to Grok", () => {
  it("is silence where nothing is to be said", () => {
    for (const decision of [{}, { verdict: "allow" }, { warnings: ["old rules"] }] as const)
      expect(answer(decision)).toEqual(silent);
  });

  it("denies by JSON and by exit code, and never asks", () => {
    for (const verdict of ["deny", "ask"] as const)
      expect(answer({ verdict, reason: "Use `gh`.", contexts: ["Look there."], warnings: ["w"] })).toEqual({
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use `gh`.\\n\\nLook there."}}\n',
        stderr: "Use `gh`.\n\nLook there.\n",
        exitCode: 2,
      });
    expect(answer({ verdict: "deny" }).stderr).toBe("Blocked by toolgate.\n");
  });

  it("changes the call, and that must arrive", () => {
    expect(answer({ input: { command: "ls" }, contexts: ["one", "two"] })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"},"additionalContext":"one\\n\\ntwo"}}\n',
      stderr: "",
      exitCode: 0,
      mustArrive: true,
    });
  });

  it("puts a changed input of an MCP server's tool back where Grok had it", () => {
    const read = grokHook.read(
      sent("store__look", { tool_name: "store__look", tool_input: { shelf: 1 } }),
      place,
    );
    if (!read.ok) throw new Error(read.message);
    const said = read.speaker?.write(
      "PreToolUse",
      { ...nothing, verdict: "abstain", input: { shelf: 2 } },
      { shelf: 1 },
    );
    expect(JSON.parse(said?.stdout ?? "")).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        updatedInput: { tool_name: "store__look", tool_input: { shelf: 2 } },
      },
    });
  });

  it("after a call only adds a note; that the task is over is one, too", () => {
    const said = { contexts: ["one"], reason: "A hook failed.", taskEnd: "It is over.", warnings: ["w"] };
    for (const event of ["PostToolUse", "PostToolUseFailure"] as const)
      expect(answer(said, event)).toEqual({
        ...silent,
        stdout: `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"one\\n\\nA hook failed.\\n\\nIt is over."}}\n`,
      });
    expect(answer(said, "UserPromptSubmit")).toEqual(silent);
  });

  it("is a denial in its own words when the hook breaks", () => {
    expect(JSON.parse(grok.lastWords("broken"))).toEqual({ decision: "deny", reason: "broken" });
  });
});
