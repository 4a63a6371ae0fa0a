import { describe, expect, it } from "vitest";
import type { HookInput } from "../../../../src/agents/agent-hook.ts";
import { ownPrompt } from "../../../../src/agents/claude-code/own-prompt.ts";
import { readHookInput } from "../../../../src/agents/read-hook-input.ts";

const sent = {
  session_id: "s1",
  transcript_path: "/home/me/.claude/projects/x/s1.jsonl",
  cwd: "/home/me/project",
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "toolu_1",
};

function promptOf(more: object, env: Record<string, string> = {}) {
  const read = readHookInput(JSON.stringify({ ...sent, ...more }));
  return ownPrompt((read as { input: HookInput }).input, { home: "/home/me", env, projectDir: undefined });
}

const unused = { asks: false, isOn: false };
const attended = { CLAUDE_CODE_SESSION_ID: "s1", CLAUDE_CODE_SESSION_ATTENDED: "1" };

describe("the own prompt of Claude Code", () => {
  it("asks in every mode that was measured, also where its own questions are off", () => {
    for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"])
      expect([mode, promptOf({ permission_mode: mode }, attended).asks]).toEqual([mode, true]);
  });

  it("is not used in a mode that nobody has measured, or that is not told", () => {
    for (const mode of ["", "yolo", "Default", undefined, 7])
      expect(promptOf({ permission_mode: mode }, attended)).toEqual(unused);
  });

  it("is not used for another program that reads the same settings", () => {
    const grok = { toolName: "Bash", sessionId: "s1", workspaceRoot: "/home/me/project" };
    expect(promptOf(grok)).toEqual(unused);
    expect(promptOf({}, { CLAUDE_CODE_SESSION_ID: "of the session around it" })).toEqual(unused);
    expect(promptOf({ session_id: undefined })).toEqual(unused);
  });

  it("is known by what is sent where the hook has no variables, such as over HTTP", () => {
    expect(promptOf({})).toEqual({ asks: true, isOn: true });
    expect(promptOf({ agent_id: "a", agent_type: "Explore", mcp_server: {}, effort: {} }).asks).toBe(true);
  });
});
