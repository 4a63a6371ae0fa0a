import { describe, expect, it } from "vitest";
import type { CommandHook, HookEvent } from "../../../../src/core/call/hook.ts";
import { hookInput } from "../../../../src/safe/command-hook/hook-input.ts";

const hook: CommandHook = { name: "h", type: "PreToolUse", command: "true" };
const asClaude: CommandHook = { ...hook, wire: "claude-code" };
const event = (toolName: string, calledAs: string, parameters: object): HookEvent => ({
  callId: "call-1",
  calledAs,
  toolUseId: "toolu_1",
  sessionId: "s",
  cwd: "/work",
  preToolUse: { toolName, parameters: parameters as never },
});

describe("what a hook is told", () => {
  it("is the event itself by default", () => {
    const given = event("shell.exec", "Bash", { command: "ls" });
    expect(hookInput(hook, given)).toEqual(given);
  });

  it("is what Claude Code would say, if it is written for that", () => {
    expect(hookInput(asClaude, event("shell.exec", "shell_exec", { command: "ls" }))).toEqual({
      session_id: "s",
      transcript_path: "",
      cwd: "/work",
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_use_id: "toolu_1",
    });
  });

  it.each([
    ["fs.read", "fs.read", { path: "a" }, "Read", { file_path: "a" }],
    ["fs.read", "Read", { file_path: "a" }, "Read", { file_path: "a" }],
    ["fs.write", "write_file", { path: "a", content: "x" }, "Write", { file_path: "a", content: "x" }],
    ["fs.edit", "MultiEdit", { file_path: "a" }, "MultiEdit", { file_path: "a" }],
    ["search.grep", "search.grep", { path: "a" }, "Grep", { path: "a" }],
    ["mcp__github__issue", "mcp__github__issue", { n: 1 }, "mcp__github__issue", { n: 1 }],
  ])("calls %s, asked for as %s, by the name that scripts look for", (id, called, given, name, input) => {
    expect(hookInput(asClaude, event(id, called, given))).toMatchObject({
      tool_name: name,
      tool_input: input,
    });
  });

  it("after the call holds what came back, after a failure why", () => {
    const facts = { callId: "c", calledAs: "Bash", toolUseId: undefined, sessionId: undefined, cwd: "/" };
    const ended = { toolName: "shell.exec", parameters: {}, result: { a: 1 }, success: true };
    expect(hookInput(asClaude, { ...facts, postToolUse: { ...ended, executionTimeMs: 4.6 } })).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_response: { a: 1 },
      duration_ms: 5,
    });
    expect(
      hookInput(asClaude, { ...facts, onError: { toolName: "shell.exec", error: "no disk" } }),
    ).toMatchObject({ hook_event_name: "PostToolUseFailure", tool_name: "Bash", error: "no disk" });
  });
});
