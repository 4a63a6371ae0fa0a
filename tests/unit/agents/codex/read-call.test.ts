import { describe, expect, it } from "vitest";
import { readCall } from "../../../../src/agents/codex/read-call.ts";

/** As 0.166.0 sends it. */
const sent = {
  session_id: "01a1e8e8-79fe-7ef3-a271-e12f4deb4308",
  turn_id: "01a1e8e8-7aac-7500-a712-682a6fdbb689",
  transcript_path: "/home/ann/.codex/sessions/rollout.jsonl",
  cwd: "/work/site",
  hook_event_name: "PreToolUse",
  model: "gpt-5.5",
  permission_mode: "bypassPermissions",
  tool_use_id: "call_1",
};
const read = (call: object) => readCall(JSON.stringify({ ...sent, ...call }));
const shell = (command: string, more: object = {}) =>
  read({ tool_name: "Bash", tool_input: { command }, ...more });

const patch = "*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\n";

describe("a call of Codex", () => {
  it("is a command with the folder in which it would run", () => {
    expect(shell("ls")).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Bash",
        input: { command: "ls" },
        mode: "act",
        permissionMode: "bypassPermissions",
        isForeign: true,
        sessionId: sent.session_id,
        toolUseId: "call_1",
        cwd: "/work/site",
      },
    });
  });

  it("says which sub-agent makes it", () => {
    expect(shell("ls", { agent_id: "a1", agent_type: "default" })).toMatchObject({
      input: { agentId: "a1", agentType: "default" },
    });
  });

  it("keeps an MCP tool's name, and gives a grouped tool its own", () => {
    expect(read({ tool_name: "mcp__echo__shout", tool_input: { text: "x" } })).toMatchObject({
      input: { tool: "mcp__echo__shout", input: { text: "x" } },
    });
    const grouped = read({ tool_name: "multi_agent_v1send_input", tool_input: { target: "a1" } });
    expect(grouped).toMatchObject({
      input: { tool: "send_input", agentTool: "multi_agent_v1send_input" },
    });
    expect(read({ tool_name: "multi_agent_v1", tool_input: {} })).toMatchObject({
      input: { tool: "multi_agent_v1" },
    });
  });

  it("is a patch, also where it was typed into a shell", () => {
    expect(read({ tool_name: "apply_patch", tool_input: { command: patch } })).toMatchObject({
      input: { tool: "apply_patch", input: { command: patch } },
    });
    const line = `cd sub && apply_patch <<'EOF'\n${patch}EOF`;
    expect(shell(line)).toMatchObject({
      input: {
        tool: "apply_patch",
        agentTool: "Bash",
        input: { command: patch.replace("a.txt", "sub/a.txt"), line },
      },
    });
  });

  it("stays a command that also names files, where there is more in the line than the patch", () => {
    const line = `rm x; apply_patch <<'EOF'\n${patch}EOF`;
    expect(shell(line)).toMatchObject({ input: { tool: "Bash", input: { command: line, patch: line } } });
  });

  it("is refused if it opens a shell for what no hook is shown; the record has what it was", () => {
    expect(shell("bash --norc")).toMatchObject({
      ok: false,
      message:
        "An open bash would run whatever is typed into it later, and Codex shows that to nobody. Run each command by itself, or give bash a script or a command.",
      input: { tool: "Bash", input: { command: "bash --norc" } },
    });
    // It has run, however that came.
    expect(shell("bash", { hook_event_name: "PostToolUse", tool_response: "" })).toMatchObject({ ok: true });
  });

  it("tells what a tool answered", () => {
    expect(shell("ls", { hook_event_name: "PostToolUse", tool_response: "a\n" })).toMatchObject({
      input: { event: "PostToolUse", tool: "Bash", response: "a\n" },
    });
  });

  it("is no call when a person says something", () => {
    expect(read({ hook_event_name: "UserPromptSubmit", prompt: "Go on." })).toMatchObject({
      ok: true,
      input: { event: "UserPromptSubmit", sessionId: sent.session_id },
    });
  });

  it("is refused when it cannot be read", () => {
    for (const text of ["", "{", "[]", "{}", JSON.stringify({ ...sent, tool_name: "Bash" })])
      expect(readCall(text)).toMatchObject({ ok: false });
  });
});
