/** Kimi Code's own form, as 2.1.0 sends and takes it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { kimi } from "../../../../src/agents/kimi/agent.ts";
import { kimiHook } from "../../../../src/agents/kimi/hook.ts";
import { readKimiCall } from "../../../../src/agents/kimi/read-call.ts";

const sent = {
  hook_event_name: "PreToolUse",
  session_id: "session_bbd5b14b-baa4-4e4c-8750-a5f7ce8c48fa",
  cwd: "/work/project",
  client_type: "kimi_code_cli",
  tool_name: "Bash",
  tool_input: { command: "touch ran.txt; echo hi" },
  tool_call_id: "call_1",
};
const read = (value: object) => readKimiCall(JSON.stringify(value));
const answer = (decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">, asked = {}) =>
  kimiHook.write("PreToolUse", { contexts: [], warnings: [], ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("a call of Kimi Code", () => {
  it("is read as it is sent, with the model's own id", () => {
    expect(read(sent)).toMatchObject({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Bash",
        input: { command: "touch ran.txt; echo hi" },
        mode: "act",
        sessionId: "session_bbd5b14b-baa4-4e4c-8750-a5f7ce8c48fa",
        toolUseId: "call_1",
        cwd: "/work/project",
      },
    });
  });

  it("of an MCP server keeps its name, which is the one that rules know", () => {
    expect(read({ ...sent, tool_name: "mcp__my_st-ore__look", tool_input: {} })).toMatchObject({
      ok: true,
      input: { tool: "mcp__my_st-ore__look", input: {} },
    });
  });

  it("that has ended brings what came of it", () => {
    const ended = { ...sent, hook_event_name: "PostToolUse", tool_output: "hi\n" };
    expect(read(ended)).toMatchObject({ ok: true, input: { event: "PostToolUse", response: "hi\n" } });
    const failed = { ...sent, hook_event_name: "PostToolUseFailure", error: { message: "no" } };
    expect(read(failed)).toMatchObject({
      ok: true,
      input: { event: "PostToolUseFailure", error: '{"message":"no"}', toolUseId: "call_1" },
    });
  });

  it("is no call when a person says something", () => {
    const said = { ...sent, hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text: "go" }] };
    expect(read(said)).toMatchObject({
      ok: true,
      input: { event: "UserPromptSubmit", sessionId: "session_bbd5b14b-baa4-4e4c-8750-a5f7ce8c48fa" },
    });
  });

  it("that cannot be read is refused", () => {
    expect(readKimiCall("")).toMatchObject({ ok: false });
    expect(readKimiCall("[]")).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_input: "touch x" })).toMatchObject({ ok: false });
    expect(read({ ...sent, hook_event_name: "Stop" })).toMatchObject({ ok: false });
    expect(readKimiCall('{"tool_name":"Bash","tool_name":"Read","tool_input":{}}')).toMatchObject({
      ok: false,
    });
  });
});

describe("the answer to Kimi Code", () => {
  it("is silence when nothing stands in the way: it takes no allow and no context", () => {
    expect(answer({ verdict: "abstain" })).toEqual(silence);
    expect(answer({ verdict: "allow", contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
  });

  it("denies by exit code and text, and by the one JSON form that it takes", () => {
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`.", contexts: ["A remark."] })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"Use `gh pr view`.\\n\\nA remark."}}\n',
      stderr: "Use `gh pr view`.\n\nA remark.\n",
      exitCode: 2,
    });
    expect(answer({ verdict: "deny", reason: " " })).toMatchObject({
      stderr: "Blocked by toolgate.\n",
      exitCode: 2,
    });
  });

  it("never asks: Kimi Code would run the call", () => {
    const asked = answer({ verdict: "ask", reason: "Ann decides." });
    expect(asked).toMatchObject({ exitCode: 2, stderr: "Ann decides.\n" });
    expect(asked.stdout).not.toContain("ask");
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm" });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toBe("A rule changes this call; run this instead: ls\n");
  });

  it("says nothing after a call, nor about a new task: it does not listen, or takes it for the person's words", () => {
    const said = {
      verdict: "abstain",
      contexts: ["A remark."],
      warnings: [],
      reason: "No.",
      taskEnd: "Over.",
    } as const;
    for (const event of ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit"] as const)
      expect(kimiHook.write(event, said, {})).toEqual(silence);
  });

  it("of a broken process is a denial, too", () => {
    expect(JSON.parse(kimi.lastWords("Broken."))).toEqual({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Broken." },
    });
  });
});
