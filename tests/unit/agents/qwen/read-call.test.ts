import { describe, expect, it } from "vitest";
import { readCall } from "../../../../src/agents/qwen/read-call.ts";

/** As 0.24.4 sends it. */
const sent = {
  session_id: "0a1b2c3d-0000-4000-8000-000000000000",
  transcript_path: "/home/ann/.qwen/projects/-home-ann-app/chats/0a1b2c3d.jsonl",
  cwd: "/home/ann/app",
  hook_event_name: "PreToolUse",
  timestamp: "2026-11-17T10:00:00.000Z",
  permission_mode: "yolo",
  prompt_id: "0a1b2c3d########0",
  tool_name: "run_shell_command",
  tool_input: { command: "ls", is_background: false },
  tool_use_id: "toolu_1794909600000_abcdefghi",
  tool_call_id: "call_1",
};

const read = (call: object) => readCall(JSON.stringify(call));

function taken(call: object) {
  const result = read(call);
  if (!result.ok) throw new Error(result.message);
  return result.input;
}

describe("a call of Qwen Code", () => {
  it("is read with the model's own id, not with the one that is made up for hooks", () => {
    expect(taken(sent)).toMatchObject({
      event: "PreToolUse",
      tool: "run_shell_command",
      input: { command: "ls", is_background: false },
      mode: "act",
      permissionMode: "yolo",
      sessionId: sent.session_id,
      toolUseId: "call_1",
      cwd: "/home/ann/app",
    });
    const { tool_call_id: _, ...older } = sent;
    expect(taken(older)).not.toHaveProperty("toolUseId");
  });

  it("has the mode of the session and the sub-agent that makes it", () => {
    expect(taken({ ...sent, permission_mode: "plan", agent_id: "general-purpose-1" })).toMatchObject({
      mode: "plan",
      agentId: "general-purpose-1",
    });
  });

  it("of an MCP server has the usual name already", () => {
    expect(taken({ ...sent, tool_name: "mcp__store__look", tool_input: {} }).tool).toBe("mcp__store__look");
  });

  it("has ended, well or not", () => {
    const after = {
      ...sent,
      hook_event_name: "PostToolUse",
      tool_response: { llmContent: "a" },
      duration_ms: 7,
    };
    expect(taken(after)).toMatchObject({
      event: "PostToolUse",
      response: { llmContent: "a" },
      durationMs: 7,
      toolUseId: "call_1",
    });
    const failed = { ...sent, hook_event_name: "PostToolUseFailure", error: "It is not there." };
    expect(taken(failed)).toMatchObject({ event: "PostToolUseFailure", error: "It is not there." });
  });

  it("is none when a person says what to do next, and only then a new task begins", () => {
    const { tool_name: _, tool_input: __, ...rest } = sent;
    const prompt = { ...rest, hook_event_name: "UserPromptSubmit", prompt: "Go on." };
    expect(taken({ ...prompt, submitted_prompt: "Go on." })).toMatchObject({
      event: "UserPromptSubmit",
      sessionId: sent.session_id,
    });
    expect(taken(prompt)).not.toHaveProperty("sessionId");
  });

  it("is refused in any other form, with what to send", () => {
    for (const [call, word] of [
      [{ ...sent, hook_event_name: "BeforeTool" }, "PreToolUse"],
      [{ ...sent, tool_name: "" }, "tool_name"],
      [{ ...sent, tool_input: "ls" }, "tool_input"],
      [[], "JSON object"],
    ] as const)
      expect(read(call)).toMatchObject({ ok: false, message: expect.stringContaining(word) });
    expect(readCall("")).toMatchObject({ ok: false });
    expect(readCall('{"tool_name":"a","tool_name":"b","tool_input":{}}')).toMatchObject({ ok: false });
  });
});
