/** droid's own form, as 0.225.2 sends and takes it. */
import { describe, expect, it } from "vitest";
import { droidHook } from "../../../../src/agents/droid/hook.ts";
import {
  afterCall,
  beforeCall,
  denial,
  denies,
  nobody,
  rewrites,
  says,
  silence,
  talkingTo,
} from "../talking.ts";

const sent = {
  session_id: "374eac66-c629-486e-8320-56a595fbf275",
  transcript_path: "/home/ann/.factory/sessions/-work/374eac66.jsonl",
  cwd: "/work/project",
  permission_mode: "auto-low",
  hook_event_name: "PreToolUse",
  tool_name: "Execute",
  tool_input: { command: "touch ran.txt", summary: "s", riskLevel: "low", timeout: 10 },
};
const { read, taken, refusal, answer } = talkingTo(droidHook);

describe("a call of droid", () => {
  it("is read as it is sent", () => {
    expect(taken(sent)).toMatchObject({
      event: "PreToolUse",
      tool: "Execute",
      input: sent.tool_input,
      mode: "act",
      permissionMode: "auto-low",
      sessionId: sent.session_id,
      cwd: "/work/project",
    });
  });

  it("in spec mode is one of a plan, and a sub-agent may be started for it", () => {
    const spec = { ...sent, permission_mode: "spec" };
    const task = taken({ ...spec, tool_name: "Task", tool_input: {} });
    expect(task.mode).toBe("plan");
    expect(droidHook.needsToPlan?.(task, nobody)).toBe(true);
    expect(droidHook.needsToPlan?.(taken(spec), nobody)).toBe(false);
  });

  const ofServer = (tool_name: string) => ({ ...sent, tool_name, tool_input: {} });

  it("of an MCP server gets the name that rules know", () => {
    expect(taken(ofServer("my_st-ore___look"))).toMatchObject({
      tool: "mcp__my_st-ore__look",
      agentTool: "my_st-ore___look",
    });
    expect(taken(ofServer("a.b___look_at__it")).tool).toBe("mcp__a_b__look_at__it");
    expect(taken(ofServer("slack_post_file")).tool).toBe("slack_post_file");
  });

  it("is refused where nobody can tell the server from the tool", () => {
    for (const name of ["a___b___c", "a____b"])
      expect(refusal(ofServer(name))).toContain("more than one way");
  });

  it("that has ended brings what came of it", () => {
    const ended = { ...sent, hook_event_name: "PostToolUse", tool_response: "hi\n" };
    expect(taken(ended)).toMatchObject({ event: "PostToolUse", response: "hi\n" });
  });

  it("that cannot be read is refused", () => {
    for (const call of ["{", { ...sent, tool_name: 3 }, { ...sent, tool_input: [] }])
      expect(read(call)).toMatchObject({ ok: false });
  });
});

describe("the answer to droid before a call", () => {
  it("is silence when no rule speaks: an allow would skip its own prompts", () => {
    expect(answer({})).toEqual(silence);
    expect(answer({ contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
  });

  it("denies by JSON, text and exit code at once: another hook's allow takes only the JSON away", () => {
    const text = "Use gh.\n\nA remark.";
    expect(answer({ verdict: "deny", reason: "Use gh.", contexts: ["A remark."] })).toEqual(
      denies(text, denial(text)),
    );
  });

  it("never asks, also about a new input: droid would run the call", () => {
    const asked = answer({ verdict: "ask", reason: "Ann decides.", input: { command: "ls" } });
    expect(asked).toEqual(denies("Ann decides.", denial("Ann decides.")));
  });

  it("allows only where a rule does", () => {
    const said = beforeCall({ permissionDecision: "allow" });
    expect(answer({ verdict: "allow", reason: "Fine." })).toEqual(says(said));
  });

  it("hands a new input over; it must arrive", () => {
    const input = { command: "ls", timeout: 10 };
    const said = beforeCall({ updatedInput: input });
    expect(answer({ input }, { command: "rm", timeout: 10 })).toEqual(rewrites(said));
  });

  it("refuses a change that takes a field away: droid lays the new input over the old one", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm", timeout: 10 });
    expect(changed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("run this instead") });
  });
});

describe("the answer to droid after a call", () => {
  it("is a context, or the end of the turn", () => {
    const answerAfter = (decision: object) => answer(decision, {}, "PostToolUse");
    expect(answerAfter({})).toEqual(silence);
    expect(answerAfter({ contexts: ["One."], reason: "Two." })).toEqual(says(afterCall("One.\n\nTwo.")));
    expect(answerAfter({ taskEnd: "Over." })).toEqual(says({ continue: false, stopReason: "Over." }));
  });

  it("is nothing about a new task", () => {
    expect(answer({ contexts: ["One."] }, {}, "UserPromptSubmit")).toEqual(silence);
  });
});
