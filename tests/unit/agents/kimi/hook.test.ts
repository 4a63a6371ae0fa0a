/** Kimi Code's own form, as 2.1.0 sends and takes it. */
import { describe, expect, it } from "vitest";
import { kimiHook } from "../../../../src/agents/kimi/hook.ts";
import { denies, silence, talkingTo } from "../talking.ts";

const sent = {
  hook_event_name: "PreToolUse",
  session_id: "session_bbd5b14b-baa4-4e4c-8750-a5f7ce8c48fa",
  cwd: "/work/project",
  client_type: "kimi_code_cli",
  tool_name: "Bash",
  tool_input: { command: "touch ran.txt; echo hi" },
  tool_call_id: "call_1",
};
const { read, taken, answer } = talkingTo(kimiHook);

describe("a call of Kimi Code", () => {
  const server = { tool_name: "mcp__my_st-ore__look", tool_input: {} };
  const prompt = { hook_event_name: "UserPromptSubmit", prompt: [{ type: "text", text: "go" }] };
  it.for<readonly [string, object, object]>([
    [
      "is read as it is sent, with the model's own id",
      {},
      {
        event: "PreToolUse",
        tool: "Bash",
        input: { command: "touch ran.txt; echo hi" },
        mode: "act",
        sessionId: sent.session_id,
        toolUseId: "call_1",
        cwd: "/work/project",
      },
    ],
    [
      "of an MCP server keeps its name, which is the one that rules know",
      server,
      { tool: "mcp__my_st-ore__look", input: {} },
    ],
    [
      "that has ended brings what came of it",
      { hook_event_name: "PostToolUse", tool_output: "hi\n" },
      { event: "PostToolUse", response: "hi\n" },
    ],
    [
      "that failed brings the error",
      { hook_event_name: "PostToolUseFailure", error: { message: "no" } },
      { event: "PostToolUseFailure", error: '{"message":"no"}', toolUseId: "call_1" },
    ],
    [
      "is no call when a person says something",
      prompt,
      { event: "UserPromptSubmit", sessionId: sent.session_id },
    ],
  ])("%s", ([, more, input]) => expect(taken({ ...sent, ...more })).toMatchObject(input));

  it("that cannot be read is refused", () => {
    const twice = '{"tool_name":"Bash","tool_name":"Read","tool_input":{}}';
    const wrong = [{ tool_input: "touch x" }, { hook_event_name: "Stop" }].map((one) => ({
      ...sent,
      ...one,
    }));
    for (const call of ["", "[]", twice, ...wrong]) expect(read(call)).toMatchObject({ ok: false });
  });
});

describe("the answer to Kimi Code", () => {
  it("is silence when nothing stands in the way: it takes no allow and no context", () => {
    expect(answer({})).toEqual(silence);
    expect(answer({ verdict: "allow", contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
  });

  it("denies by exit code and text, and by the one JSON form that it takes", () => {
    const text = "Use `gh pr view`.\n\nA remark.";
    const said = { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: text } };
    expect(answer({ verdict: "deny", reason: "Use `gh pr view`.", contexts: ["A remark."] })).toEqual(
      denies(text, said),
    );
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm" });
    const stderr = "A rule changes this call; run this instead: ls\n";
    expect(changed).toMatchObject({ exitCode: 2, stderr });
  });

  it("says nothing after a call, nor about a new task: it does not listen, or takes it for the person's words", () => {
    const said = { contexts: ["A remark."], reason: "No.", taskEnd: "Over." };
    for (const event of ["PostToolUse", "PostToolUseFailure", "UserPromptSubmit"] as const)
      expect(answer(said, {}, event)).toEqual(silence);
  });
});
