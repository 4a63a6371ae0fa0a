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
const unanswered = "is not one that toolgate answers";
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

  it.for([
    ["nothing", "", "Standard input is empty."],
    ["blanks", " \n", "Standard input is empty."],
    ["text", "hello", "not valid JSON"],
    ["half an object", '{"tool_name":"Bash","tool_input":', "not valid JSON"],
    ["a list", "[]", "must be a JSON object"],
    ["null", "null", "must be a JSON object"],
    ["no tool", '{"tool_input":{}}', "names no tool"],
    ["an empty tool", '{"tool_name":"","tool_input":{}}', "names no tool"],
    ["a tool that is no text", '{"tool_name":["Bash"],"tool_input":{}}', "names no tool"],
    ["no input", '{"tool_name":"Bash"}', 'input of Bash is missing: "tool_input" must be a JSON object'],
    ["an input that is text", '{"tool_name":"Bash","tool_input":"ls"}', '"tool_input" must be a JSON object'],
    ["an input that is a list", '{"tool_name":"Bash","tool_input":[]}', '"tool_input" must be a JSON object'],
    ["another event", '{"hook_event_name":"SessionStart"}', `"SessionStart" ${unanswered}`],
    ["a wrong event", '{"hook_event_name":7,"tool_name":"Bash","tool_input":{}}', unanswered],
  ] as const)("is refused with one clear message: %s", ([, text, message]) => {
    const result = readHookInput(text);
    expect(result).toEqual({ ok: false, message: expect.stringContaining(message) });
    expect(!result.ok && result.message.length).toBeLessThan(400);
  });

  it("is refused, not thrown, when it is nested without end", () => {
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    expect(readHookInput(deep).ok).toBe(false);
  });
});
