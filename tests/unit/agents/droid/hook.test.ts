/** droid's own form, as 0.225.2 sends and takes it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision, HookEvent } from "../../../../src/agents/agent-hook.ts";
import { droid } from "../../../../src/agents/droid/agent.ts";
import { droidHook } from "../../../../src/agents/droid/hook.ts";
import { readDroidCall } from "../../../../src/agents/droid/read-call.ts";
import { place } from "../place.ts";

const sent = {
  session_id: "374eac66-c629-486e-8320-56a595fbf275",
  transcript_path: "/home/ann/.factory/sessions/-work/374eac66.jsonl",
  cwd: "/work/project",
  permission_mode: "auto-low",
  hook_event_name: "PreToolUse",
  tool_name: "Execute",
  tool_input: { command: "touch ran.txt", summary: "s", riskLevel: "low", timeout: 10 },
};
const read = (value: object) => readDroidCall(JSON.stringify(value));
const answer = (
  decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">,
  asked = {},
  event: HookEvent = "PreToolUse",
) => droidHook.write(event, { contexts: [], warnings: [], ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("a call of droid", () => {
  it("is read as it is sent", () => {
    expect(read(sent)).toMatchObject({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "Execute",
        input: sent.tool_input,
        mode: "act",
        permissionMode: "auto-low",
        sessionId: "374eac66-c629-486e-8320-56a595fbf275",
        cwd: "/work/project",
      },
    });
  });

  it("in spec mode is one of a plan, and a sub-agent may be started for it", () => {
    const read_ = read({ ...sent, permission_mode: "spec", tool_name: "Task", tool_input: {} });
    expect(read_).toMatchObject({ ok: true, input: { mode: "plan" } });
    if (read_.ok) expect(droidHook.needsToPlan?.(read_.input, place)).toBe(true);
    const other = read({ ...sent, permission_mode: "spec" });
    if (other.ok) expect(droidHook.needsToPlan?.(other.input, place)).toBe(false);
  });

  it("of an MCP server gets the name that rules know", () => {
    const ofServer = (tool_name: string) => read({ ...sent, tool_name, tool_input: {} });
    expect(ofServer("my_st-ore___look")).toMatchObject({
      ok: true,
      input: { tool: "mcp__my_st-ore__look", agentTool: "my_st-ore___look" },
    });
    expect(ofServer("a.b___look_at__it")).toMatchObject({
      ok: true,
      input: { tool: "mcp__a_b__look_at__it" },
    });
    expect(ofServer("slack_post_file")).toMatchObject({ ok: true, input: { tool: "slack_post_file" } });
  });

  it("is refused where nobody can tell the server from the tool", () => {
    for (const name of ["a___b___c", "a____b"])
      expect(read({ ...sent, tool_name: name, tool_input: {} })).toMatchObject({
        ok: false,
        message: expect.stringContaining("more than one way"),
      });
  });

  it("that has ended brings what came of it", () => {
    const ended = { ...sent, hook_event_name: "PostToolUse", tool_response: "hi\n" };
    expect(read(ended)).toMatchObject({ ok: true, input: { event: "PostToolUse", response: "hi\n" } });
  });

  it("that cannot be read is refused", () => {
    expect(readDroidCall("{")).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_name: 3 })).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_input: [] })).toMatchObject({ ok: false });
  });
});

describe("the answer to droid before a call", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({ verdict: "abstain" })).toEqual(silence);
    expect(answer({ verdict: "abstain", contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
  });

  it("denies by JSON, text and exit code at once: another hook's allow takes only the JSON away", () => {
    expect(answer({ verdict: "deny", reason: "Use gh.", contexts: ["A remark."] })).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Use gh.\\n\\nA remark."}}\n',
      stderr: "Use gh.\n\nA remark.\n",
      exitCode: 2,
    });
    expect(answer({ verdict: "deny" })).toMatchObject({ stderr: "Blocked by toolgate.\n", exitCode: 2 });
  });

  it("never asks: droid would run the call", () => {
    const asked = answer({ verdict: "ask", reason: "Ann decides.", input: { command: "ls" } });
    expect(asked).toMatchObject({ exitCode: 2, stderr: "Ann decides.\n" });
    expect(asked.stdout).not.toMatch(/"ask"|updatedInput/);
  });

  it("allows only where a rule does", () => {
    expect(answer({ verdict: "allow", reason: "Fine." })).toEqual({
      ...silence,
      stdout: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\n',
    });
  });

  it("hands a new input over; it must arrive", () => {
    const changed = { command: "ls", timeout: 10 };
    expect(answer({ verdict: "abstain", input: changed }, { command: "rm", timeout: 10 })).toEqual({
      ...silence,
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls","timeout":10}}}\n',
      mustArrive: true,
    });
  });

  it("refuses a change that takes a field away: droid lays the new input over the old one", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm", timeout: 10 });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toContain("run this instead");
  });

  it("of a broken process is a denial, too", () => {
    expect(JSON.parse(droid.lastWords("Broken."))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Broken.",
      },
    });
  });
});

describe("the answer to droid after a call", () => {
  it("is a context, or the end of the turn", () => {
    expect(answer({ verdict: "abstain" }, {}, "PostToolUse")).toEqual(silence);
    expect(answer({ verdict: "abstain", contexts: ["One."], reason: "Two." }, {}, "PostToolUse")).toEqual({
      ...silence,
      stdout: '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"One.\\n\\nTwo."}}\n',
    });
    expect(answer({ verdict: "abstain", taskEnd: "Over." }, {}, "PostToolUse")).toEqual({
      ...silence,
      stdout: '{"continue":false,"stopReason":"Over."}\n',
    });
  });

  it("is nothing about a new task", () => {
    expect(answer({ verdict: "abstain", contexts: ["One."] }, {}, "UserPromptSubmit")).toEqual(silence);
  });
});
