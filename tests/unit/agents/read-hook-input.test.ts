import { describe, expect, it } from "vitest";
import { readHookInput } from "../../../src/agents/read-hook-input.ts";

const before = {
  session_id: "1759b4f6-0000",
  transcript_path: "/home/me/.claude/projects/x/1759b4f6.jsonl",
  cwd: "/home/me/project",
  prompt_id: "p1",
  permission_mode: "default",
  effort: { level: "medium" },
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "echo hello", description: "x" },
  tool_use_id: "toolu_1",
};
const read = (value: unknown) => readHookInput(JSON.stringify(value));

describe("the input of a hook of Claude Code", () => {
  it("is a call with its session, its id and its folder", () => {
    expect(read(before)).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Bash",
        input: { command: "echo hello", description: "x" },
        mode: "act",
        permissionMode: "default",
        sessionId: "1759b4f6-0000",
        toolUseId: "toolu_1",
        cwd: "/home/me/project",
      },
    });
  });

  it.for<readonly [string, object, object]>([
    [
      "says when the session only plans, and when a sub-agent calls",
      { permission_mode: "plan", agent_id: "a1", agent_type: "Explore" },
      { mode: "plan", agentId: "a1", agentType: "Explore" },
    ],
    [
      "carries the result after the call",
      { hook_event_name: "PostToolUse", tool_response: { stdout: "ok" }, duration_ms: 54 },
      { event: "PostToolUse", response: { stdout: "ok" }, durationMs: 54 },
    ],
    [
      "carries the error after a call that failed",
      { hook_event_name: "PostToolUseFailure", error: "Exit code 1", duration_ms: 16 },
      { event: "PostToolUseFailure", error: "Exit code 1" },
    ],
  ])("%s", ([, more, input]) => expect(read({ ...before, ...more })).toMatchObject({ ok: true, input }));

  it("may be a person's next words, which are no call", () => {
    const prompt = { session_id: "s", cwd: "/work", hook_event_name: "UserPromptSubmit", prompt: "Go on." };
    expect(read(prompt)).toEqual({
      ok: true,
      input: {
        event: "UserPromptSubmit",
        tool: "(a new task)",
        input: {},
        mode: "act",
        // Only calls are asked about, so their fields alone are known.
        isForeign: true,
        sessionId: "s",
        cwd: "/work",
      },
    });
  });

  it("may be as bare as a tool and its input", () => {
    expect(readHookInput('\ufeff{"tool_name":"WebFetch","tool_input":{"url":"https://a.b"}}\n')).toEqual({
      ok: true,
      input: { event: "PreToolUse", tool: "WebFetch", input: { url: "https://a.b" }, mode: "act" },
    });
  });

  it("leaves out what has another type than it should, and a folder that is not absolute", () => {
    const odd = { ...before, session_id: 7, tool_use_id: {}, cwd: "project", agent_id: "", duration_ms: "5" };
    const result = read(odd);
    const left = ["event", "tool", "input", "mode", "permissionMode"];
    expect(result.ok && Object.keys(result.input)).toEqual(left);
  });
});
